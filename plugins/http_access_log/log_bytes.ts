import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { WireReader, WireType } from "edgehelm/wire";
import { FIELDS, type LogFields } from "./contract/log_fields.ts";
import type { LogEntry } from "./contract/log_store.ts";

const NO_BYTES = new Uint8Array();
const LENGTH_DELIMITED = WireType.bytes as 2;

/** Returns the encoded items of a repeated message field as views of the message. */
export function itemsOf(message: Uint8Array, field: number): Uint8Array[] {
  const items: Uint8Array[] = [];
  const reader = new WireReader(message);
  while (reader.next()) {
    reader.skip();
    if (reader.field === field) items.push(message.subarray(reader.from, reader.to));
  }
  return items;
}

/**
 * Returns a log as it is stored: the received bytes, without the request body, which is stored separately, and without
 * `node`, which only responses contain. The node id is replaced if it is not `nodeId`.
 *
 * @param fields the result of `logFields` for this log
 */
export function keptLog(
  log: Uint8Array,
  fields: LogFields,
  nodeId: bigint,
): { readonly log: Uint8Array; readonly requestBody: Uint8Array } {
  const isNodeWrong = fields.nodeId !== nodeId;
  if (!isNodeWrong && !fields.hasBodyOrNode) return { log, requestBody: NO_BYTES };
  const unchanged: Uint8Array[] = [];
  let requestBody: Uint8Array = NO_BYTES;
  let from = 0;
  const reader = new WireReader(log);
  while (reader.next()) {
    const { field, start } = reader;
    reader.skip();
    if (field === FIELDS.requestBody) requestBody = log.subarray(reader.from, reader.to);
    else if (field !== FIELDS.node && !(isNodeWrong && field === FIELDS.nodeId)) continue;
    unchanged.push(log.subarray(from, start));
    from = reader.position;
  }
  const writer = new BinaryWriter();
  for (const bytes of unchanged) writer.raw(bytes);
  writer.raw(log.subarray(from));
  if (isNodeWrong && nodeId !== 0n) writer.tag(FIELDS.nodeId, 0).int64(nodeId);
  return { log: writer.finish(), requestBody };
}

/** Writes a log as responses contain it: the stored bytes, the request body if there is one, and the encoded node. */
export function writeLog(writer: BinaryWriter, field: number, { log, requestBody }: LogEntry, node: Uint8Array): void {
  writer.tag(field, LENGTH_DELIMITED).fork().raw(log);
  if (requestBody.length > 0) writer.tag(FIELDS.requestBody, LENGTH_DELIMITED).bytes(requestBody);
  writer.tag(FIELDS.node, LENGTH_DELIMITED).bytes(node).join();
}
