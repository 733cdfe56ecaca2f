import type { Page } from "../fields/page.ts";

/**
 * Counts the matching rows of each bucket from `first` to `last`. A bucket consists of the ids that differ only in
 * their lowest `idBits` bits. Returns non-empty buckets in descending order.
 */
export type BucketCounts = (
  idBits: bigint,
  first: bigint,
  last: bigint,
) => Promise<readonly { readonly bucket: bigint; readonly n: bigint }[]>;

/** The ranges of ids that contain the rows of a page. See {@link idRanges}. */
export interface IdRanges {
  /** The first id (included) and the last id (excluded) of each range, in descending order. */
  readonly ranges: readonly (readonly [bigint, bigint])[];
  /** The number of rows of the first range that come before the page. */
  readonly offset: bigint;
}

const LAST_BUCKET = 2n ** 53n;

/**
 * Locates a page of a list that is ordered by descending id, at any offset and however rare its rows are. It uses row
 * counts that the plugin maintains per bucket of ids, first in coarse buckets, then in the fine buckets inside them.
 *
 * @param bits the sizes of both kinds of buckets, as numbers of ignored low bits; equal if there is only one kind
 * @param counts reads the counts
 *
 * @example
 * ```ts
 * import { idRanges } from "edgehelm/storage";
 *
 * const { ranges, offset } = await idRanges(
 *   page,
 *   { coarse: 16n, fine: 8n },
 *   (idBits, first, last) => store.bucketCounts.all(call, { idBits, first, last }),
 * );
 * ```
 */
export async function idRanges(
  page: Page,
  bits: { readonly coarse: bigint; readonly fine: bigint },
  counts: BucketCounts,
): Promise<IdRanges> {
  const { coarse, fine } = bits;
  let found = bucketsOf(page, await counts(coarse, 0n, LAST_BUCKET));
  const [highest, lowest] = [found.buckets[0], found.buckets.at(-1)];
  if (highest === undefined || lowest === undefined) return { ranges: [], offset: 0n };
  if (fine !== coarse) {
    const shift = coarse - fine;
    const inside = await counts(fine, lowest << shift, ((highest + 1n) << shift) - 1n);
    found = bucketsOf({ offset: found.offset, size: page.size }, inside);
  }
  return { ranges: mergeAdjacent(found.buckets, fine), offset: found.offset };
}

/** Returns the buckets that contain the rows of a page, and the number of rows of the first one before the page. */
function bucketsOf({ offset, size }: Page, counts: Awaited<ReturnType<BucketCounts>>) {
  const buckets: bigint[] = [];
  let [before, skipped] = [0n, 0n];
  for (const { bucket, n } of counts) {
    if (n <= 0n) continue;
    if (before >= offset + size) break;
    if (before + n > offset) buckets.push(bucket);
    else skipped += n;
    before += n;
  }
  return { buckets, offset: offset - skipped };
}

/** Merges adjacent buckets into ranges. */
function mergeAdjacent(buckets: readonly bigint[], idBits: bigint): [bigint, bigint][] {
  const ranges: [bigint, bigint][] = [];
  for (const bucket of buckets) {
    const [from, to] = [bucket << idBits, (bucket + 1n) << idBits];
    const last = ranges.at(-1);
    if (last?.[0] === to) last[0] = from;
    else ranges.push([from, to]);
  }
  return ranges;
}
