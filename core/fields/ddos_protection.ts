import type { DDoSProtection } from "../../proto/shapes/ddos_protection_pb.ts";
import { listField, textField } from "./fields.ts";
import { addressField } from "./network_fields.ts";
import { numberField, portField } from "./number_fields.ts";

/** The least that a limit may be, so that it does not lock out everybody; 0 stands for the default. */
const LEAST_LIMITS = {
  maxConnections: 1,
  maxConnectionsPerIP: 5,
  newConnectionsRate: 3,
  newConnectionsRateBlockTimeout: 0,
  newConnectionsSecondlyRate: 3,
  newConnectionsSecondlyRateBlockTimeout: 0,
} as const;

/** The value rules of a JSON object in ddosProtectionJSON, which clusters and nodes have. */
export function ddosProtectionRule(path: string, { tcp }: DDoSProtection): void {
  if (tcp === undefined) return;
  for (const [limit, min] of Object.entries(LEAST_LIMITS)) {
    numberField(`${path}.tcp.${limit}`, tcp[limit as keyof typeof LEAST_LIMITS], { min, orZero: min > 0 });
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
