import process from "node:process";
import type { Call } from "edgehelm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { LogEntry, LogFilter, LogPage, LogStore } from "../../../../plugins/http_access_log/contract/log_store.ts";
import { dayOf } from "../../../../plugins/http_access_log/contract/request_time.ts";
import { Random } from "../../../harness/random.ts";
import { PAIRS, SINGLE, wholeDay } from "./filters.ts";
import { Oracle } from "./oracle.ts";
import { DAYS, randomBatches } from "./random_logs.ts";

/** A store under test. */
export interface OpenStore extends AsyncDisposable {
  readonly store: LogStore;
  /** Returns a system call without a deadline. */
  call(): Call;
  /** Moves the store to another state, such as sealed or reopened; the suite then repeats the queries. */
  enter?(state: string): Promise<void>;
}

export interface StoreOptions {
  /** The number of rows in a partition before the next one begins. */
  readonly partitionRows: bigint;
}

export interface SuiteOptions {
  /** The number of rows to append; TEST_LOGS overrides it. */
  readonly rows?: number;
  /** The states to test, one after the other. */
  readonly states?: readonly string[];
}

const SEED = 7;
/** The maximum batch size, by which a partition may exceed its limit. */
const MAX_BATCH = 900;
const DIRECTIONS = [{ oldestFirst: false }, { oldestFirst: true }] as const;

/** Tests that a store returns the same results as an oracle that tests every log. */
export function logStoreSuite(
  name: string,
  open: (options: StoreOptions) => Promise<OpenStore>,
  { rows = 20_000, states = [] }: SuiteOptions = {},
): void {
  const count = Number(process.env["TEST_LOGS"] ?? rows);
  const partitionRows = BigInt(Math.ceil(count / 5));
  const oracle = new Oracle();
  const random = new Random(SEED);
  let opened: OpenStore;

  beforeAll(async () => {
    opened = await open({ partitionRows });
    let last = "";
    for (const batch of randomBatches(count, SEED)) {
      await opened.store.append(opened.call(), batch);
      oracle.append(batch);
      last = batch.at(-1)!.requestId;
    }
    await vi.waitFor(async () => expect(await opened.store.find(opened.call(), last)).toBeDefined(), {
      timeout: 300_000,
    });
  }, 1_200_000);
  afterAll(() => opened?.[Symbol.asyncDispose]());

  /** Reads pages from a cursor to the end, but at most `maxPages`. */
  async function pages(filter: LogFilter, page: LogPage, maxPages: number) {
    const entries: LogEntry[] = [];
    let { cursor } = page;
    for (let count = 0; count < maxPages; count++) {
      const found = await opened.store.list(opened.call(), filter, { ...page, cursor });
      expect(found.entries.length).toBeLessThanOrEqual(page.size);
      entries.push(...found.entries);
      const last = found.entries.at(-1)?.requestId;
      if (found.stoppedAt !== undefined) count--;
      else if (found.entries.length < page.size) return { entries, isOver: true };
      cursor = found.stoppedAt ?? last!;
    }
    return { entries, isOver: false };
  }

  async function compare(filter: LogFilter, page: Partial<LogPage>, maxPages = 3): Promise<void> {
    const whole: LogPage = { cursor: "", oldestFirst: false, size: 20, withBodies: false, ...page };
    const expected = oracle.matching(filter, whole).map(({ requestId }) => requestId)
      .filter((id) => whole.cursor === "" || (whole.oldestFirst ? id > whole.cursor : id < whole.cursor));
    const { entries, isOver } = await pages(filter, whole, maxPages);
    const ids = entries.map(({ requestId }) => requestId);
    expect(ids).toEqual(isOver ? expected : expected.slice(0, ids.length));
  }

  /** Compares pages from the beginning, from the middle, and large pages to the end. */
  async function compareAll(filter: LogFilter): Promise<void> {
    for (const direction of DIRECTIONS) {
      await compare(filter, direction);
      const matching = oracle.matching(filter, direction);
      const middle = matching[random.below(matching.length)]?.requestId ?? "";
      await compare(filter, { ...direction, cursor: middle, size: 7 });
      await compare(filter, { ...direction, cursor: `${middle}0`, size: 1 }, 2);
      if (matching.length <= 5000) await compare(filter, { ...direction, size: 1000 }, Infinity);
    }
  }

  function queryTests(): void {
    test.each(SINGLE)("finds by %s", async (_name, filter) => {
      await compareAll(filter);
    });

    test.each(PAIRS)("finds by %s", async (_name, filter) => {
      for (const direction of DIRECTIONS) await compare(filter, { ...direction, size: 50 }, 5);
    });

    test("pages through the whole day, both ways", async () => {
      for (const direction of DIRECTIONS) await compare(wholeDay(), { ...direction, size: 1000 }, Infinity);
    });

    test("returns rows unchanged, with bodies if requested", async () => {
      const filter = { ...wholeDay(), hasError: true };
      const expected = oracle.matching(filter, { oldestFirst: false }).slice(0, 200);
      const page = { cursor: "", oldestFirst: false, size: 200 };
      const { entries: whole } = await opened.store.list(opened.call(), filter, { ...page, withBodies: true });
      expect(whole.map(plain)).toEqual(expected.map(plain));
      const { entries: bare } = await opened.store.list(opened.call(), filter, { ...page, withBodies: false });
      expect(bare.map(plain)).toEqual(expected.map((entry) => plain({ ...entry, requestBody: new Uint8Array() })));
    });

    test("finds single rows with their bodies, and nothing for other ids", async () => {
      const { all } = oracle;
      for (let index = 0; index < 200; index++) {
        const { entry } = random.oneOf(all);
        expect(plain((await opened.store.find(opened.call(), entry.requestId))!)).toEqual(plain(entry));
        expect(await opened.store.find(opened.call(), `${entry.requestId}x`)).toBeUndefined();
      }
      expect(await opened.store.find(opened.call(), "17000000000001")).toBeUndefined();
    });

    test("splits days into partitions that together contain the day", async () => {
      for (const day of DAYS) {
        const partitions = await opened.store.partitions(opened.call(), day);
        const expected = oracle.matching(wholeDay(day), { oldestFirst: true }).map(({ requestId }) => requestId);
        expect(partitions).toEqual(partitions.map((_, index) => BigInt(index)));
        expect(partitions.length).toBeGreaterThanOrEqual(
          Math.floor(expected.length / (Number(partitionRows) + MAX_BATCH)),
        );
        const found: string[] = [];
        for (const partition of partitions) {
          const filter = { ...wholeDay(day), partition };
          const page = { cursor: "", oldestFirst: true, size: 1000, withBodies: false };
          const { entries } = await pages(filter, page, Infinity);
          expect(entries.length).toBeLessThanOrEqual(Number(partitionRows) + MAX_BATCH);
          found.push(...entries.map(({ requestId }) => requestId));
          const errors = await pages({ ...filter, hasError: true }, page, Infinity);
          const ids = new Set(entries.map(({ requestId }) => requestId));
          expect(errors.entries.map(({ requestId }) => requestId)).toEqual(
            oracle.matching({ ...wholeDay(day), hasError: true }, page).map(({ requestId }) => requestId)
              .filter((id) => ids.has(id)),
          );
        }
        expect(found.sort()).toEqual(expected);
      }
      const none = { ...wholeDay(), partition: 99n };
      await expect(pages(none, { cursor: "", oldestFirst: false, size: 9, withBodies: false }, 1)).resolves
        .toEqual({ entries: [], isOver: true });
      expect(await opened.store.partitions(opened.call(), 20240229n)).toEqual([]);
    });

    test("returns the days and their rows", async () => {
      const days = await opened.store.days(opened.call());
      const counts = Map.groupBy(oracle.all, ({ entry }) => dayOf(entry.requestId));
      const expected = [...counts].map(([day, { length }]) => ({ day, rows: BigInt(length) }));
      expect(days.map(({ day, rows }) => ({ day, rows }))).toEqual(expected);
      for (const { bytes } of days) expect(bytes).toBeGreaterThanOrEqual(0n);
    });
  }

  describe(`${name}: as appended`, queryTests);
  for (const state of states) {
    describe(`${name}: ${state}`, () => {
      beforeAll(async () => await opened.enter!(state), 600_000);
      queryTests();
    });
  }

  describe(`${name}: changes`, () => {
    test("appending stored rows again changes nothing", async () => {
      const batches = [...randomBatches(3000, SEED + 1)];
      for (const batch of batches) oracle.append(batch);
      await Promise.all(batches.map((batch) => opened.store.append(opened.call(), batch)));
      const changed = batches.flat().map((entry) => ({ ...entry, userId: 12_345n }));
      await opened.store.append(opened.call(), changed);
      await compare({ ...wholeDay(), userId: 12_345n }, {});
      for (const day of DAYS) await compare(wholeDay(day), { size: 1000 }, Infinity);
    });

    test("removing a user deletes only the rows of that user", async () => {
      const userId = 2n;
      const limit = 500;
      for (let count = limit; count >= limit;) count = await opened.store.removeOfUser(opened.call(), userId, limit);
      const { entry } = oracle.all.find(({ entry }) => entry.userId === userId)!;
      oracle.remove(({ entry }) => entry.userId === userId);
      await compare({ ...wholeDay(), userId }, {});
      await compare({ ...wholeDay(), serverId: userId }, {});
      expect(await opened.store.find(opened.call(), entry.requestId)).toBeUndefined();
      await compare({ ...wholeDay(), userId: 3n }, { size: 1000 }, Infinity);
      for (const direction of DIRECTIONS) await compare(wholeDay(), { ...direction, size: 1000 }, Infinity);
    });

    test("dropping a day deletes only that day", async () => {
      const [before] = DAYS;
      while (!await opened.store.dropDay(opened.call(), before));
      const dropped = oracle.all.filter(({ entry }) => dayOf(entry.requestId) === before);
      oracle.remove(({ entry }) => dayOf(entry.requestId) === before);
      expect(await opened.store.find(opened.call(), dropped[0]!.entry.requestId)).toBeUndefined();
      expect((await opened.store.days(opened.call())).map(({ day }) => day)).toEqual(DAYS.slice(1));
      expect(await opened.store.partitions(opened.call(), before)).toEqual([]);
      await compare(wholeDay(before), {});
      await compare(wholeDay(), { size: 1000 }, Infinity);
      // rows that arrive afterwards start the day again
      const late = dropped.slice(0, 3).map(({ entry }) => entry);
      await opened.store.append(opened.call(), late);
      oracle.append(late);
      await compare(wholeDay(before), {});
      expect(await opened.store.dropDay(opened.call(), 20240229n)).toBe(true);
    });
  });
}

/** Converts bytes to text, so that Buffer and Uint8Array compare equal. */
function plain({ requestId, userId, nodeClusterId, log, requestBody }: LogEntry) {
  return { requestId, userId, nodeClusterId, log: [...log].join(), requestBody: [...requestBody].join() };
}
