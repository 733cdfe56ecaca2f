import type { Page } from "../fields/page.ts";

/** How many rows that match lie in each bucket of ids: those of `first` to `last` that have any, the highest first. */
export type BucketCounts = (
  idBits: bigint,
  first: bigint,
  last: bigint,
) => Promise<readonly { readonly bucket: bigint; readonly n: bigint }[]>;

/** Where the rows of a page lie. */
export interface IdRanges {
  /** From and up to which id, the end not included; the highest first. */
  readonly ranges: readonly (readonly [bigint, bigint])[];
  /** How many rows of the first range come before the page. */
  readonly offset: bigint;
}

const LAST_BUCKET = 2n ** 53n;

/**
 * Finds a page of a list that is ordered by descending id, at any depth and however rare its rows are, from counts that
 * are kept for buckets of ids: in coarse ones first, then in the finer ones of those. A bucket is an id without its
 * lowest `idBits` bits.
 */
export async function idRanges(
  page: Page,
  { coarse, fine }: { readonly coarse: bigint; readonly fine: bigint },
  counts: BucketCounts,
): Promise<IdRanges> {
  let found = bucketsOf(page, await counts(coarse, 0n, LAST_BUCKET));
  const [highest, lowest] = [found.buckets[0], found.buckets.at(-1)];
  if (highest === undefined || lowest === undefined) return { ranges: [], offset: 0n };
  if (fine !== coarse) {
    const bits = coarse - fine;
    const inside = await counts(fine, lowest << bits, ((highest + 1n) << bits) - 1n);
    found = bucketsOf({ offset: found.offset, size: page.size }, inside);
  }
  return { ranges: joined(found.buckets, fine), offset: found.offset };
}

/** The buckets in which a page's rows lie, and how many rows of the first one come before it. */
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

/** Buckets that follow one another as one range. */
function joined(buckets: readonly bigint[], idBits: bigint): [bigint, bigint][] {
  const ranges: [bigint, bigint][] = [];
  for (const bucket of buckets) {
    const [from, to] = [bucket << idBits, (bucket + 1n) << idBits];
    const last = ranges.at(-1);
    if (last?.[0] === to) last[0] = from;
    else ranges.push([from, to]);
  }
  return ranges;
}
