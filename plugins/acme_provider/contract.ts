import { type Contract, defineContract } from "edgehelm";

/** A certificate authority that issues certificates through ACME (RFC 8555). */
export interface ACMEProviderInfo {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  /** The URL of the ACME directory. */
  readonly apiURL: string;
  /** True if accounts require an external account binding. */
  readonly requireEAB: boolean;
  readonly eabDescription: string;
  /** The certificates of authorities, as PEM, to trust in place of those of the runtime; empty to trust those. */
  readonly ca: string;
}

/** Lets other plugins look up ACME providers. The providers do not change while the server runs. */
export interface ACMEProviders {
  readonly all: readonly ACMEProviderInfo[];
  /** Returns the provider with this code, or undefined if there is none. */
  find(code: string): ACMEProviderInfo | undefined;
}
export const ACMEProviders: Contract<ACMEProviders> = defineContract("acme_provider");
