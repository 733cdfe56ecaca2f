import { type Contract, defineContract } from "edgehelm";

/** A certificate authority that gives certificates by ACME. */
export interface ACMEProviderInfo {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  /** The address of its directory. */
  readonly apiURL: string;
  /** Whether accounts need an external account binding. */
  readonly requireEAB: boolean;
  readonly eabDescription: string;
}

/** What other plugins may ask of ACME providers. They are the same as long as the installation runs. */
export interface ACMEProviders {
  readonly all: readonly ACMEProviderInfo[];
  /** The provider with this code; undefined when there is none. */
  find(code: string): ACMEProviderInfo | undefined;
}
export const ACMEProviders: Contract<ACMEProviders> = defineContract("acme_provider");
