import { requireUnchanged } from "../../../../parts/forms/unchanged.ts";
import { readJson, writeJson } from "../../../../parts/json_bytes.ts";
import { callPath } from "../../../../shell/call.ts";
import type { Amount } from "../common/amounts.tsx";
import type { TakeBack } from "../common/changes.tsx";
import { texts as common } from "../common/texts.ts";

/** The operation that replaces the rules of a policy. */
export const UPDATE = "HTTPCachePolicyService/updateHTTPCachePolicyRefs";

/** A comparison of a part of a request or a response. */
export interface Cond {
  readonly type?: string;
  readonly isRequest?: boolean;
  readonly param?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly isReverse?: boolean;
  readonly isCaseInsensitive?: boolean;
}

/** Comparisons that are combined. */
export interface CondGroup {
  readonly isOn?: boolean;
  readonly connector?: string;
  readonly conds?: readonly Cond[];
  readonly isReverse?: boolean;
  readonly description?: string;
}

/** Groups of comparisons that are combined. */
export interface Conds {
  readonly isOn?: boolean;
  readonly connector?: string;
  readonly groups?: readonly CondGroup[];
}

/** The Expires header that browsers get. */
export interface Expires {
  readonly isPrior?: boolean;
  readonly isOn?: boolean;
  readonly overwrite?: boolean;
  readonly autoCalculate?: boolean;
  readonly duration?: Amount;
}

/** The settings of a rule that are a yes or no. */
export const FLAGS = [
  "skipSetCookie",
  "allowChunkedEncoding",
  "allowPartialContent",
  "forcePartialContent",
  "alwaysForwardRangeRequest",
  "enableRequestCachePragma",
  "enableIfNoneMatch",
  "enableIfModifiedSince",
  "enableReadingOriginAsync",
] as const;

/** A cache rule, as the policy has it. What the form does not know stays in it. */
export interface CacheRef extends Readonly<Partial<Record<(typeof FLAGS)[number], boolean>>> {
  readonly isOn?: boolean;
  readonly key?: string;
  readonly life?: Amount;
  readonly expiresTime?: Expires;
  readonly status?: readonly number[];
  readonly minSize?: Amount;
  readonly maxSize?: Amount;
  readonly methods?: readonly string[];
  readonly skipCacheControlValues?: readonly string[];
  readonly conds?: Conds;
  readonly simpleCond?: Cond;
  readonly isReverse?: boolean;
}

/** Loads the rules of a policy. */
export async function loadRefs(httpCachePolicyId: bigint, signal?: AbortSignal): Promise<readonly CacheRef[]> {
  const found = await callPath("HTTPCachePolicyService/findEnabledHTTPCachePolicyConfig", {
    httpCachePolicyId,
  }, signal);
  return readJson<{ cacheRefs?: readonly CacheRef[] }>(found["httpCachePolicyJSON"])?.cacheRefs ?? [];
}

/**
 * Replaces the rules of a policy, unless they were changed elsewhere.
 *
 * @param seen the rules that the reader saw
 */
export async function saveRefs(
  httpCachePolicyId: bigint,
  seen: readonly CacheRef[],
  refs: readonly CacheRef[],
): Promise<TakeBack> {
  await requireUnchanged(seen, () => loadRefs(httpCachePolicyId), common.value.changedElsewhere);
  await callPath(UPDATE, { httpCachePolicyId, refsJSON: writeJson(refs) });
  const saved = await loadRefs(httpCachePolicyId);
  return () => saveRefs(httpCachePolicyId, saved, seen);
}
