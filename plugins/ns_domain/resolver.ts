import type { Call } from "edgehelm";

/** Queries DNS. An empty list means that there is no record; if a query fails, `unavailable` is thrown. */
export interface DomainResolver {
  /** Returns the TXT values of a name, each with its strings joined. */
  txt(call: Call, name: string): Promise<readonly string[]>;
  /** Returns the host names in the NS records of a domain. */
  ns(call: Call, name: string): Promise<readonly string[]>;
  /** Returns the DS records of a domain as texts: key tag, algorithm, digest type and digest. */
  ds(call: Call, name: string): Promise<readonly string[]>;
}
