/** The part of a request that selects a page. */
interface PageRequest {
  readonly offset?: bigint;
  readonly size?: bigint;
}

/** The options of {@link pages}. */
export interface PagesOptions {
  /** The number of items of a page, and thus of one call. 100 by default. */
  readonly size?: number;
}

/**
 * Iterates over all items of a list, and fetches page after page as they are needed.
 *
 * @param list fetches one page: an operation with `offset` and `size` in its request
 * @param items returns the items of a response
 *
 * @example
 * ```ts
 * import { pages } from "edgehelm/client";
 *
 * const all = pages((page) => domains.listNSDomains({ ...page, keyword: "example" }), ({ nsDomains }) => nsDomains);
 * for await (const { name } of all) console.log(name);
 * ```
 */
export async function* pages<Response, Item>(
  list: (page: Required<PageRequest>) => Promise<Response>,
  items: (response: Response) => readonly Item[],
  { size = 100 }: PagesOptions = {},
): AsyncGenerator<Item> {
  for (let offset = 0n;; offset += BigInt(size)) {
    const page = items(await list({ offset, size: BigInt(size) }));
    yield* page;
    if (page.length < size) return;
  }
}
