import { invalid } from "../base/errors.ts";

/** The number of rows that a list returns if the request sets no size. */
export const DEFAULT_PAGE_SIZE = 20n;
/** The maximum number of rows that a request may ask for. */
export const MAX_PAGE_SIZE = 1000n;

/** The rows that a list operation returns. See {@link pageOf}. */
export interface Page {
  readonly offset: bigint;
  readonly size: bigint;
}

/**
 * Returns the page that a request asks for.
 *
 * @param request a `size` of 0 selects the default
 * @param limits the default and the maximum size, 20 and 1000 unless given
 * @throws RpcError invalid if offset or size is negative, or size exceeds the maximum
 *
 * @example
 * ```ts
 * import { pageOf } from "edgehelm";
 *
 * const { offset, size } = pageOf(request);
 * const plans = await store.list.all(call, { offset, size });
 * ```
 */
export function pageOf(
  request: { readonly offset?: bigint; readonly size: bigint },
  { defaultSize = DEFAULT_PAGE_SIZE, maxSize = MAX_PAGE_SIZE }: { defaultSize?: bigint; maxSize?: bigint } = {},
): Page {
  const { offset = 0n, size } = request;
  if (offset < 0n) throw invalid("offset", `must not be negative, got ${offset}`);
  if (size < 0n) throw invalid("size", `must not be negative, got ${size}`);
  if (size > maxSize) throw invalid("size", `must be at most ${maxSize}, got ${size}`);
  return { offset, size: size === 0n ? defaultSize : size };
}
