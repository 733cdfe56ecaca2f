import type { Plan } from "../../parts/money/models.ts";

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

export interface Domain {
  readonly id: bigint;
  readonly name: string;
  readonly status: string;
  readonly isOn: boolean;
}
