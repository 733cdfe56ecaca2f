import type { Call } from "../../base/call.ts";
import type { Page } from "../../fields/page.ts";
import type { Db } from "../database.ts";
import { type IdRanges, idRanges } from "../id_ranges.ts";
import { memoizeByShape } from "../memoize_by_shape.ts";
import { containing } from "../parameters.ts";
import { trigramQuery } from "../trigram_index.ts";
import { COARSE, FINE } from "./counting.ts";
import type { ListShape } from "./declaration.ts";
import { listTexts } from "./indexing.ts";
import { bucketStatements, LIST, rowStatements, type Total, type Values } from "./statements.ts";

/** The maximum offset at which skipping rows is faster than reading the bucket counts. */
const MAX_SKIPPED_ROWS = 500n;
/** The maximum number of texts that a keyword is compared to on the event loop. Above, the search index is used. */
const MAX_TEXTS_COMPARED = 2000n;
/** With more id ranges than this, a page is read outside the event loop. */
const MAX_RANGES_ON_EVENT_LOOP = 32;
const NO_LIMIT = 2n ** 62n;
const END_OF_TIME = 2n ** 53n;

/** A filter by names that only the declaration knows. */
export type AnyFilter = Readonly<Record<string, bigint | string | readonly bigint[]>>;

/** Reads pages and counts of a list. Statements are compiled once for each combination of members that filters set. */
export class ListReader {
  readonly #list: ListShape;
  readonly #names: readonly string[];
  /** A filter that matches any row. */
  readonly #any: AnyFilter;
  readonly #buckets: (filter: AnyFilter) => ReturnType<typeof bucketStatements>;
  readonly #rows: (filter: AnyFilter, path: "rows" | "index") => ReturnType<typeof rowStatements>;

  constructor(db: Db<unknown>, list: ListShape) {
    const { scopes, links, choices, search } = list;
    this.#list = list;
    this.#names = [...scopes, ...links.map(({ name }) => name), ...choices];
    const unset = this.#names.map((name) => [name, choices.includes(name) ? "" : 0n] as const);
    this.#any = { ...Object.fromEntries(unset), from: 0n, to: END_OF_TIME };
    const texts = search.length === 0 ? undefined : listTexts(db, list);
    this.#buckets = memoizeByShape(
      (filter) => this.#membersOf(filter),
      (filter) => bucketStatements(db, list, new Set(this.#membersOf(filter))),
    );
    this.#rows = memoizeByShape(
      (filter, path) => [path, ...this.#membersOf(filter)],
      (filter, path) => rowStatements(db, list, new Set(this.#membersOf(filter)), path === "index" ? texts : undefined),
    );
  }

  async count(call: Call, filter: AnyFilter): Promise<bigint> {
    if (matchesNothing(filter)) return 0n;
    if (!filter["keyword"]) return (await this.#total(call, filter)).n;
    const { run, count, values } = await this.#search(call, filter);
    return (await count[run](call, values))[0]!.n;
  }

  async page(call: Call, filter: AnyFilter, page: Page): Promise<unknown[]> {
    if (matchesNothing(filter)) return [];
    if (filter["keyword"]) {
      const search = await this.#search(call, filter);
      return await search.page[search.run](call, { ...search.values, ...page });
    }
    const { choices } = this.#list;
    // rows of a rare choice, of some days or of several scopes may be far apart
    const isScattered = this.#membersOf(filter)
      .some((name) => name === "days" || choices.includes(name) || name.endsWith(LIST));
    if (isScattered) return await this.#scatteredPage(call, filter, page);
    const start = await this.#startOf(call, filter, page.offset);
    return await this.#rows(filter, "rows").page.all(call, { ...this.#any, ...filter, ...start, size: page.size });
  }

  /** Returns the names of the members that a filter sets. */
  #membersOf(filter: AnyFilter): string[] {
    const { from = 0n, to = END_OF_TIME, keyword } = filter;
    const members = this.#names.filter((name) => filter[name])
      .flatMap((name) => Array.isArray(filter[name]) ? [name, name + LIST] : [name]);
    if (this.#list.days !== undefined && (from !== 0n || to !== END_OF_TIME)) members.push("days");
    if (keyword) members.push("keyword");
    return members;
  }

  /** Sums the buckets of a filter, ignoring its keyword. */
  #total(call: Call, filter: AnyFilter): Promise<Total> {
    return this.#buckets(filter).total.one(call, { ...this.#any, ...filter, idBits: COARSE });
  }

  /** Chooses how to search for a keyword: small lists on the event loop, large ones off it. */
  async #search(call: Call, filter: AnyFilter) {
    const keyword = String(filter["keyword"]);
    const { n, first, end } = await this.#total(call, filter);
    const isSmall = n * BigInt(this.#list.search.length) <= MAX_TEXTS_COMPARED;
    const match = isSmall ? undefined : trigramQuery(keyword);
    const values: Values = { ...this.#any, ...filter, pattern: containing(keyword), match: match ?? "", first, end };
    const statements = this.#rows(filter, match === undefined ? "rows" : "index");
    return { ...statements, values, run: isSmall ? "all" as const : "scan" as const };
  }

  /** Returns the id before which a page starts, and the number of rows to skip from there. */
  async #startOf(call: Call, filter: AnyFilter, offset: bigint): Promise<{ end: bigint; offset: bigint }> {
    if (offset <= MAX_SKIPPED_ROWS) return { end: NO_LIMIT, offset };
    const position = await this.#rangesOf(call, filter, { offset, size: 1n });
    return { end: position.ranges[0]?.[1] ?? 0n, offset: position.offset };
  }

  /** Returns a page whose rows may be far apart, from those buckets that contain them. */
  async #scatteredPage(call: Call, filter: AnyFilter, page: Page): Promise<unknown[]> {
    const { ranges, offset } = await this.#rangesOf(call, filter, page);
    if (ranges.length === 0) return [];
    const run = ranges.length > MAX_RANGES_ON_EVENT_LOOP ? "scan" : "all";
    const pairs = `[${ranges.map(([first, end]) => `[${first},${end}]`).join()}]`;
    const { pageInRanges } = this.#rows(filter, "rows");
    return await pageInRanges[run](call, { ...this.#any, ...filter, ranges: pairs, offset, size: page.size });
  }

  #rangesOf(call: Call, filter: AnyFilter, page: Page): Promise<IdRanges> {
    const values: Values = { ...this.#any, ...filter };
    const { buckets } = this.#buckets(filter);
    return idRanges(
      page,
      { coarse: COARSE, fine: FINE },
      (idBits, firstBucket, lastBucket) => buckets.all(call, { ...values, idBits, firstBucket, lastBucket }),
    );
  }
}

function matchesNothing(filter: AnyFilter): boolean {
  return Object.values(filter).some((value) => Array.isArray(value) && value.length === 0);
}
