import { kernelErrors } from "edgehelm";
import type { DomainVerification } from "./contract.ts";
import type { NSDomainConfig } from "./proto/config_pb.ts";
import type { DomainResolver } from "./resolver.ts";

const DEFAULT_HOST = "_edgehelm-verify";
const DEFAULT_LIFETIME_SECONDS = 86_400n;

/** Returns how names are verified by TXT records, with the settings of the installation. */
export function domainVerification(config: NSDomainConfig, resolver: DomainResolver | undefined): DomainVerification {
  const host = config.verifyHost || DEFAULT_HOST;
  return {
    isAvailable: resolver !== undefined,
    lifetimeSeconds: config.verifyLifetimeSeconds || DEFAULT_LIFETIME_SECONDS,
    recordOf: (name) => `${host}.${name}`,
    async valuesOf(call, name) {
      if (resolver !== undefined) return await resolver.txt(call, `${host}.${name}`);
      throw kernelErrors.unavailable("verifying a domain requires a DNS resolver, which this host does not have");
    },
  };
}
