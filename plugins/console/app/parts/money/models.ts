/** A plan, as far as its prices and contents are shown. */
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

/** An invoice or credit note as it was issued. */
export interface Invoice {
  readonly id: bigint;
  readonly userId: bigint;
  readonly number: string;
  readonly kind: string;
  /** The number of the invoice that a credit note corrects; empty for invoices. */
  readonly correctsNumber: string;
  readonly day: string;
  readonly seller: string;
  readonly address?: { readonly name: string; readonly address: string; readonly country: string };
  readonly lines: readonly { readonly description: string; readonly amount: number }[];
  readonly netAmount: number;
  readonly taxLabel: string;
  readonly taxRate: number;
  readonly taxAmount: number;
  readonly totalAmount: number;
  readonly currency: string;
  readonly note: string;
}
