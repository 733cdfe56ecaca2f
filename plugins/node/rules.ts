import { idField, invalid, listField, numberField } from "edgehelm";
import { absolutePathField, sizeField } from "edgehelm/fields";
import { jsonListField } from "edgehelm/wire";
import type { SizeCapacity } from "edgehelm/proto/models/size_capacity_pb.js";
import { CacheDirectorySchema } from "edgehelm/proto/shapes/cache_directory_pb.js";

/** Checks a filter value: 0 for all, 1 for yes and 2 for no. */
export function stateField(field: string, value: number): number {
  return numberField(field, value, { max: 2 });
}

/** Checks a capacity and returns it as the table stores it; empty when there is none. */
export function capacityField(field: string, capacity: SizeCapacity | undefined): string {
  if (capacity === undefined) return "";
  sizeField(field, capacity);
  return JSON.stringify({ count: Number(capacity.count), unit: capacity.unit });
}

/** Checks the additional cache directories. Returns null for empty bytes, which leave the stored ones unchanged. */
export function cacheDirectoriesField(field: string, bytes: Uint8Array): Uint8Array | null {
  const directories = jsonListField(field, bytes, CacheDirectorySchema);
  if (directories === undefined) return null;
  listField(field, directories, (at, { path, capacity }) => {
    absolutePathField(`${at}.path`, path, { min: 1 });
    if (capacity !== undefined) sizeField(`${at}.capacity`, capacity);
  }, { max: 100 });
  return bytes;
}

/** Checks the ids of the secondary clusters of a node. */
export function secondaryClustersField(field: string, values: readonly bigint[], primary: bigint): bigint[] {
  const ids = listField(field, values, idField, { max: 100, unique: true });
  for (const [index, id] of ids.entries()) {
    if (id === primary) throw invalid(`${field}[${index}]`, `node cluster ${id} is the primary cluster of the node`);
  }
  return ids;
}
