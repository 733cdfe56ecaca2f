import { idField, listField } from "edgehelm";

const MAX_IDS = 100;

/**
 * Validates the ids of the API nodes that a node says it is connected to, up to 100.
 *
 * @returns the ids without repetitions, as the JSON to store
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * const connectedAPINodeIds = connectedIdsField("apiNodeIds", apiNodeIds);
 * ```
 */
export function connectedIdsField(field: string, ids: readonly bigint[]): string {
  return `[${[...new Set(listField(field, ids, idField, { max: MAX_IDS }))].join(",")}]`;
}

/**
 * Returns the ids that `connectedIdsField` returned as JSON. They are read exactly: a node may report any id, and
 * `JSON.parse` would round those beyond 2^53.
 *
 * @example
 * ```ts
 * const connectedAPINodeIds = connectedIds(row.connectedAPINodeIds);
 * ```
 */
export function connectedIds(json: string): bigint[] {
  return (json.match(/\d+/g) ?? []).map(BigInt);
}
