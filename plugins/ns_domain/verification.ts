import { type Call, kernelErrors } from "edgehelm";
import type { DomainVerification } from "./contract.ts";
import { dohResolver } from "./doh/resolver.ts";
import type { NSDomainConfig } from "./proto/config_pb.ts";
import type { DomainResolver } from "./resolver.ts";

const DEFAULT_HOST = "_edgehelm-verify";
const DEFAULT_LIFETIME_SECONDS = 86_400n;
const DEFAULT_TIMEOUT_MILLISECONDS = 5000n;

/** Verifies names by TXT records and, for domains, by NS records. */
export interface Verification extends DomainVerification {
  /** If false, the NS records of a domain suffice. */
  readonly requireTXT: boolean;
  /** Returns the host names in the NS records of a domain. */
  nameServersOf(call: Call, name: string): Promise<readonly string[]>;
}

/**
 * Returns how names are verified by TXT records, with the settings of the installation.
 *
 * @param hostResolver the resolver of the host; undefined where there is no UDP
 */
export function domainVerification(config: NSDomainConfig, hostResolver: DomainResolver | undefined): Verification {
  const timeout = Number(config.resolveTimeoutMilliseconds || DEFAULT_TIMEOUT_MILLISECONDS);
  const resolver = config.dohServers.length > 0 ? dohResolver(config.dohServers, timeout) : hostResolver;
  const host = config.verifyHost || DEFAULT_HOST;
  const required = () => {
    if (resolver !== undefined) return resolver;
    throw kernelErrors.unavailable(
      "looking up a domain requires a DNS resolver, which this host does not have: set dohServers of the plugin ns_domain",
    );
  };
  return {
    requireTXT: config.requireTXT ?? true,
    isAvailable: resolver !== undefined,
    lifetimeSeconds: config.verifyLifetimeSeconds || DEFAULT_LIFETIME_SECONDS,
    recordOf: (name) => `${host}.${name}`,
    valuesOf: async (call, name) => await required().txt(call, `${host}.${name}`),
    nameServersOf: async (call, name) => await required().ns(call, name),
    dsOf: async (call, name) => (await required().ds(call, name)).map(dsRecord),
  };
}

function dsRecord(text: string) {
  const [keyTag, algorithm, digestType, digest = ""] = text.split(" ");
  return { keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType), digest };
}
