import { jsonBytes } from "edgehelm";
import { internalAddress } from "edgehelm/fields";
import { NSRecordsHealthCheckSchema } from "edgehelm/proto/shapes/ns_records_health_check_pb.js";
import type { NSRecordRow } from "./store.ts";
import { qualifiedValue } from "./targets.ts";

const ADDRESS_TYPES = { A: 4, AAAA: 6 };
const NO_HEALTH_CHECK = jsonBytes(NSRecordsHealthCheckSchema, { isOn: false });

/**
 * Returns what a node receives in place of some columns. Nodes do not check internal addresses for users, who could look
 * into the network of the nodes with their answers.
 */
export function fedContent(row: NSRecordRow, domain: { readonly name: string; readonly userId: bigint }) {
  const isProbe = domain.userId !== 0n && row.type in ADDRESS_TYPES && internalAddress(row.value) !== undefined;
  return { value: qualifiedValue(row, domain.name), ...(isProbe && { healthCheckJSON: NO_HEALTH_CHECK }) };
}
