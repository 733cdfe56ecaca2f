import type { Call } from "edgehelm";

/** Asks DNS. An empty list means that there is nothing; a resolver that cannot tell throws `unavailable`. */
export interface DomainResolver {
  /** The TXT values at a name, each in one piece. */
  txt(call: Call, name: string): Promise<readonly string[]>;
  /** The names of a domain's name servers. */
  ns(call: Call, name: string): Promise<readonly string[]>;
}
