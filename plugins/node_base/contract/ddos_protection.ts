import { listField, numberField, textField } from "edgehelm";
import { addressField, portField } from "edgehelm/fields";
import type { DDoSProtection } from "edgehelm/proto/shapes/ddos_protection_pb.js";

/** The minimum of each limit: lower values would lock out ordinary visitors. 0 selects the default. */
const MIN_LIMITS = {
  maxConnections: 1,
  maxConnectionsPerIP: 5,
  newConnectionsRate: 3,
  newConnectionsRateBlockTimeout: 0,
  newConnectionsSecondlyRate: 3,
  newConnectionsSecondlyRateBlockTimeout: 0,
} as const;

/**
 * Checks the values of a ddosProtectionJSON field, which clusters and nodes have.
 *
 * @param path the path of the object, for errors
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { jsonField } from "edgehelm";
 * import { ddosProtectionRule } from "../node_base/contract.ts";
 *
 * const protection = jsonField("ddosProtectionJSON", ddosProtectionJSON, DDoSProtectionSchema);
 * if (protection !== undefined) ddosProtectionRule("ddosProtectionJSON", protection);
 * ```
 */
export function ddosProtectionRule(path: string, { tcp }: DDoSProtection): void {
  if (tcp === undefined) return;
  for (const [limit, min] of Object.entries(MIN_LIMITS)) {
    numberField(`${path}.tcp.${limit}`, tcp[limit as keyof typeof MIN_LIMITS], { min, orZero: min > 0 });
  }
  listField(`${path}.tcp.allowIPList`, tcp.allowIPList, (at, { ip, description }) => {
    addressField(`${at}.ip`, ip);
    textField(`${at}.description`, description);
  });
  listField(`${path}.tcp.ports`, tcp.ports, (at, { port, description }) => {
    portField(`${at}.port`, port);
    textField(`${at}.description`, description);
  });
}
