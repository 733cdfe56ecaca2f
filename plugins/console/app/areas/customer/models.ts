/** A plan on offer, as far as customers see it. */
export interface Plan {
  readonly id: bigint;
  readonly name: string;
  readonly description: string;
  readonly priceType: string;
  readonly monthlyPrice: number;
  readonly seasonallyPrice: number;
  readonly yearlyPrice: number;
  readonly trafficPriceJSON: Uint8Array;
  readonly bandwidthPriceJSON: Uint8Array;
  readonly trafficLimitJSON: Uint8Array;
  readonly featuresJSON: Uint8Array;
  readonly hasFullFeatures: boolean;
  readonly totalServers: number;
  readonly totalServerNames: number;
  readonly totalServerNamesPerServer: number;
  readonly dailyRequests: bigint;
  readonly monthlyRequests: bigint;
  readonly maxUploadSizeJSON: Uint8Array;
}

/** A plan that the customer has bought. */
export interface UserPlan {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  readonly dayTo: string;
  readonly plan?: Plan;
  readonly servers: readonly { readonly id: bigint; readonly name: string }[];
}

/** A traffic package that the customer has bought. */
export interface UserPackage {
  readonly id: bigint;
  readonly totalBytes: bigint;
  readonly usedBytes: bigint;
  readonly nodeRegionId: bigint;
  readonly dayFrom: string;
  readonly dayTo: string;
  readonly nodeRegion?: { readonly name: string };
  readonly canDelete: boolean;
}

export interface Bill {
  readonly id: bigint;
  readonly code: string;
  readonly typeName: string;
  readonly description: string;
  readonly amount: number;
  readonly month: string;
  readonly dayFrom: string;
  readonly dayTo: string;
  readonly pricePeriod: string;
  readonly isPaid: boolean;
  readonly paidAt: bigint;
  readonly canPay: boolean;
  readonly isOverdue: boolean;
}

export interface Order {
  readonly code: string;
  readonly type: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly createdAt: bigint;
  readonly isExpired: boolean;
  readonly canPay: boolean;
  readonly payURL: string;
  readonly problem: string;
  readonly refundedAmount: number;
  readonly orderMethod?: { readonly name: string };
}

export interface Domain {
  readonly id: bigint;
  readonly name: string;
  readonly status: string;
  readonly isOn: boolean;
}

/** Reads a field that contains JSON; an empty one has no value. */
export function jsonOf<Value>(bytes: Uint8Array | undefined): Partial<Value> {
  return bytes === undefined || bytes.length === 0 ? {} : JSON.parse(new TextDecoder().decode(bytes)) ?? {};
}
