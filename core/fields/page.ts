import { invalid } from "../base/errors.ts";

/** How many rows a list answers when the request does not say. */
export const DEFAULT_PAGE_SIZE = 20n;
/** The most rows that one list may ask for. */
export const MAX_PAGE_SIZE = 1000n;

/** Which rows a list answers. */
export interface Page {
  readonly offset: bigint;
  readonly size: bigint;
}

/**
 * The page that a request asks for: size 0 means the default.
 *
 * @throws invalid when offset or size is negative, or size is above the limit
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
