import { choiceField, invalid, jsonField, listField, textField } from "edgehelm";
import { absolutePathField, durationField, sizeField } from "edgehelm/fields";
import { jsonListField } from "edgehelm/wire";
import { checkCond, checkConds } from "./cond_rules.ts";
import {
  type HTTPCacheRef,
  HTTPCacheRefSchema,
  type HTTPFileCacheOptions,
  HTTPFileCacheOptionsSchema,
  HTTPMemoryCacheOptionsSchema,
} from "./proto/shapes_pb.ts";

/** The storage types of policies. */
export const POLICY_TYPES = ["file", "memory"] as const;
export type PolicyType = (typeof POLICY_TYPES)[number];

const MAX_REFS = 200;
/** Directories of edge nodes, some of which run on Windows. */
const DIRECTORY = { min: 1, max: 500, orWindows: true } as const;
const METHOD = /^[A-Z]{1,20}$/;

/** Checks the options of a type. A file policy requires a directory, so its options must not be empty. */
export function checkOptions(field: string, type: PolicyType, bytes: Uint8Array): void {
  if (type === "memory") return void jsonField(field, bytes, HTTPMemoryCacheOptionsSchema);
  const options = jsonField(field, bytes, HTTPFileCacheOptionsSchema);
  if (options === undefined) throw invalid(`${field}.dir`, "must not be empty for a policy of type file");
  checkFileOptions(field, options);
}

function checkFileOptions(
  path: string,
  { dir, minFreeSize, subDirs, memoryPolicy, openFileCache }: HTTPFileCacheOptions,
) {
  absolutePathField(`${path}.dir`, dir, DIRECTORY);
  if (minFreeSize !== undefined) sizeField(`${path}.minFreeSize`, minFreeSize);
  listField(`${path}.subDirs`, subDirs, (at, sub) => {
    absolutePathField(`${at}.path`, sub.path, DIRECTORY);
    if (sub.capacity !== undefined) sizeField(`${at}.capacity`, sub.capacity);
  }, { max: 100 });
  if (memoryPolicy?.capacity !== undefined) sizeField(`${path}.memoryPolicy.capacity`, memoryPolicy.capacity);
  if (openFileCache !== undefined && openFileCache.max < 0) {
    throw invalid(`${path}.openFileCache.max`, `must not be negative, got ${openFileCache.max}`);
  }
}

/** Checks a list of conditions; empty bytes are valid. Returns the policies that the conditions name. */
export function checkRefs(field: string, bytes: Uint8Array): readonly { readonly path: string; readonly id: bigint }[] {
  const refs = jsonListField(field, bytes, HTTPCacheRefSchema) ?? [];
  listField(field, refs, checkRef, { max: MAX_REFS });
  return refs.map(({ cachePolicyId: id }, index) => ({ path: `${field}[${index}].cachePolicyId`, id }))
    .filter(({ id }) => id !== 0n);
}

function checkRef(path: string, ref: HTTPCacheRef): void {
  textField(`${path}.key`, ref.key, { min: 1, max: 1000 });
  if (ref.cachePolicyId < 0n) throw invalid(`${path}.cachePolicyId`, `must not be negative, got ${ref.cachePolicyId}`);
  if (ref.life !== undefined) durationField(`${path}.life`, ref.life);
  if (ref.expiresTime?.duration !== undefined) durationField(`${path}.expiresTime.duration`, ref.expiresTime.duration);
  if (ref.minSize !== undefined) sizeField(`${path}.minSize`, ref.minSize);
  if (ref.maxSize !== undefined) sizeField(`${path}.maxSize`, ref.maxSize);
  listField(`${path}.status`, ref.status, (at, status) => {
    if (status < 100 || status > 999) throw invalid(at, `must be a status code 100 to 999, got ${status}`);
  });
  listField(`${path}.methods`, ref.methods, (at, method) => {
    if (!METHOD.test(method)) throw invalid(at, `must be a method such as GET, got "${method.slice(0, 60)}"`);
  });
  listField(
    `${path}.skipCacheControlValues`,
    ref.skipCacheControlValues,
    (at, directive) => textField(at, directive, { min: 1 }),
  );
  if (ref.conds !== undefined) checkConds(`${path}.conds`, ref.conds);
  if (ref.simpleCond !== undefined) checkCond(`${path}.simpleCond`, ref.simpleCond);
}

/** Checks the type in the filter of a list; empty selects all types. */
export function typeFilter(type: string): PolicyType | undefined {
  return type === "" ? undefined : choiceField("type", type, POLICY_TYPES);
}
