import { describe, expect, test } from "vitest";
import type { SqlStatement } from "../../../../core/storage/engine.ts";
import { ReadPrefetcher } from "../../../../core/storage/remote/read_prefetcher.ts";
import { statement } from "../engines.ts";

describe("ReadPrefetcher", () => {
  const [first, second, third] = ["a", "b", "c"].map((sql) => statement(sql)) as [
    SqlStatement,
    SqlStatement,
    SqlStatement,
  ];

  test("predicts the requests that followed the same requests", () => {
    const prefetcher = new ReadPrefetcher();
    const followed = [prefetcher.request(second, [1n])];
    prefetcher.learn([prefetcher.request(first, [1n])], followed);
    prefetcher.learn([prefetcher.request(first, [2n])], []);
    expect(prefetcher.after([prefetcher.request(first, [1n])])).toEqual(followed);
    expect(prefetcher.after([prefetcher.request(first, [2n])])).toEqual([]);
    expect(prefetcher.after([prefetcher.request(third, [1n])])).toEqual([]);
  });

  test("predicts for new values the requests that followed twice in a row", () => {
    const prefetcher = new ReadPrefetcher();
    const requests = (id: bigint) => [prefetcher.request(first, [id])];
    const after = (id: bigint) => prefetcher.after(requests(id)).map(({ parameters }) => parameters[0]);
    prefetcher.learn(requests(1n), [prefetcher.request(second, [7n])]);
    expect(after(9n)).toEqual([]);
    prefetcher.learn(requests(2n), [prefetcher.request(second, [7n])]);
    expect(after(9n)).toEqual([7n]);
    prefetcher.learn(requests(3n), [prefetcher.request(second, [8n])]);
    expect(after(9n)).toEqual([]);
    expect(after(2n)).toEqual([7n]);
  });

  test("distinguishes requests by statement and by each value", () => {
    const prefetcher = new ReadPrefetcher();
    const values = [["1 2"], ["1", "2"], ["1"], [1n, "2"], [null], ["null"], [new Uint8Array([1, 2])], [""], []];
    const keys = values.map((parameters) => prefetcher.request(first, parameters).key);
    keys.push(prefetcher.request(second, []).key, prefetcher.request(statement("a"), []).key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("forgets the least recently used requests", () => {
    const prefetcher = new ReadPrefetcher();
    const requests = (id: number) => [prefetcher.request(first, [BigInt(id)])];
    for (let id = 0; id <= 4096; id++) prefetcher.learn(requests(id), [prefetcher.request(second, [BigInt(id)])]);
    expect(prefetcher.after(requests(0))).toEqual([]);
    expect(prefetcher.after(requests(1))).toHaveLength(1);
  });
});
