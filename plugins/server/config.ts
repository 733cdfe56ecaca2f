import { choiceField, idField, invalid, jsonBytes, jsonField, listField, textField } from "edgehelm";
import { jsonListField } from "edgehelm/wire";
import { ListenBlockSchema } from "edgehelm/proto/shapes/listen_block_pb.js";
import { ReverseProxyRefSchema } from "edgehelm/proto/shapes/reverse_proxy_ref_pb.js";
import { ServerNameSchema } from "edgehelm/proto/shapes/server_name_pb.js";
import { serverName } from "./names.ts";
import { type Listener, LISTENERS } from "./rules.ts";
import { ServerNodeSchema } from "./proto/shapes_pb.ts";

const MAX_NAMES = 1000;
const PORTS = /^(\d{1,5})(?:[-:](\d{1,5}))?$/;
const EMPTY_LIST = new TextEncoder().encode("[]");

/** The validated names of a server: as stored and returned, and as a list of distinct names. */
export interface CheckedNames {
  readonly serverNamesJSON: Uint8Array;
  readonly names: readonly string[];
}

/**
 * Validates a list of names. Returns undefined for empty bytes.
 *
 * @param check refuses names that the caller may not give to the server
 */
export function checkNames(
  field: string,
  bytes: Uint8Array,
  check: (path: string, name: string) => void,
): CheckedNames | undefined {
  const items = jsonListField(field, bytes, ServerNameSchema);
  if (items === undefined) return undefined;
  const names: string[] = [];
  const normalized = items.map((item, index) => {
    const path = `${field}[${index}]`;
    if (item.type !== "") choiceField(`${path}.type`, item.type, ["full"]);
    const checkedName = (at: string, value: string) => {
      const name = serverName(at, value);
      check(at, name);
      return name;
    };
    const name = item.subNames.length > 0
      ? textField(`${path}.name`, item.name)
      : checkedName(`${path}.name`, item.name);
    const subNames = listField(`${path}.subNames`, item.subNames, checkedName);
    names.push(...subNames.length > 0 ? subNames : [name]);
    return { ...item, name, type: "full", subNames };
  });
  if (names.length > MAX_NAMES) throw invalid(field, `must have at most ${MAX_NAMES} names, got ${names.length}`);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw invalid(field, `the name "${duplicate}" is listed twice`);
  return { serverNamesJSON: joinJson(normalized.map((item) => jsonBytes(ServerNameSchema, item))), names };
}

/** Returns stored names without some of them. */
export function withoutNames(bytes: Uint8Array, removed: ReadonlySet<string>): CheckedNames {
  const items = jsonListField("serverNamesJSON", bytes, ServerNameSchema) ?? [];
  const kept = items.flatMap((item) => {
    const subNames = item.subNames.filter((name) => !removed.has(name));
    const isEmpty = item.subNames.length > 0 ? subNames.length === 0 : removed.has(item.name);
    return isEmpty ? [] : [{ ...item, subNames }];
  });
  return {
    serverNamesJSON: joinJson(kept.map((item) => jsonBytes(ServerNameSchema, item))),
    names: kept.flatMap(({ name, subNames }) => subNames.length > 0 ? subNames : [name]),
  };
}

/** Validates listen settings. Returns undefined for empty bytes. */
export function checkListener(listener: Listener, bytes: Uint8Array): Uint8Array | undefined {
  const block = jsonField(listener, bytes, ListenBlockSchema);
  if (block === undefined) return undefined;
  const listen = listField(`${listener}.listen`, block.listen, (at, address) => {
    choiceField(`${at}.protocol`, address.protocol, [LISTENERS[listener]]);
    const [, low = "", high = low] = PORTS.exec(address.portRange) ?? [];
    const [minPort, maxPort] = [Number(low), Number(high)];
    if (minPort >= 1 && maxPort >= minPort && maxPort <= 65_535) return { ...address, minPort, maxPort };
    throw invalid(
      `${at}.portRange`,
      `must be a port or a range such as 8080-8090, got "${address.portRange.slice(0, 60)}"`,
    );
  });
  const ref = block.sslPolicyRef;
  if (ref !== undefined && (ref.isOn || ref.sslPolicyId !== 0n)) {
    idField(`${listener}.sslPolicyRef.sslPolicyId`, ref.sslPolicyId);
  }
  return jsonBytes(ListenBlockSchema, { ...block, listen });
}

/** Returns the certificate policy in listen settings; 0 for none. */
export function sslPolicyIdIn(listener: Listener, bytes: Uint8Array): bigint {
  return jsonField(listener, bytes, ListenBlockSchema)?.sslPolicyRef?.sslPolicyId ?? 0n;
}

/** Validates the reference to a reverse proxy. Returns undefined for empty bytes. */
export function checkProxy(bytes: Uint8Array) {
  const field = "reverseProxyJSON";
  const ref = jsonField(field, bytes, ReverseProxyRefSchema);
  if (ref === undefined) return undefined;
  if (ref.isOn || ref.reverseProxyId !== 0n) idField(`${field}.reverseProxyId`, ref.reverseProxyId);
  return { reverseProxyJSON: jsonBytes(ReverseProxyRefSchema, ref), reverseProxyId: ref.reverseProxyId };
}

/** Validates a list of nodes; empty bytes mean an empty list. */
export function checkNodes(field: string, bytes: Uint8Array): Uint8Array {
  const nodes = jsonListField(field, bytes, ServerNodeSchema) ?? [];
  listField(field, nodes, (at, { nodeId }) => idField(`${at}.nodeId`, nodeId));
  return nodes.length === 0 ? EMPTY_LIST : joinJson(nodes.map((node) => jsonBytes(ServerNodeSchema, node)));
}

/** Returns the node ids in a stored list. */
export function nodesIn(field: string, bytes: Uint8Array): bigint[] {
  return (jsonListField(field, bytes, ServerNodeSchema) ?? []).map(({ nodeId }) => nodeId);
}

function joinJson(items: readonly Uint8Array[]): Uint8Array {
  const decoder = new TextDecoder();
  return new TextEncoder().encode(`[${items.map((item) => decoder.decode(item)).join(",")}]`);
}
