import { describe, expect, test } from "vitest";
import { Pace } from "../../../plugins/http_access_log/segments/pace.ts";
import { searchCurrent } from "../../../plugins/http_access_log/segments/search.ts";
import type { SegmentInfo } from "../../../plugins/http_access_log/segments/segment.ts";
import { wholeDay } from "./filters.ts";

function segment(name: string): SegmentInfo {
  const { from: firstId, to: lastId } = wholeDay();
  return { name, firstId, lastId, partition: 0 } as SegmentInfo;
}

/** A search in which no segment can be opened; `current` are those that there are, time after time. */
async function search(current: readonly (readonly string[])[]) {
  const [reported, opened]: [string[], string[]] = [[], []];
  let looks = 0;
  const there = () => current[Math.min(looks, current.length) - 1]!;
  const found = await searchCurrent({
    current: () => (looks++, there().map(segment)),
    // As it is once the search gets to it.
    isCurrent: ({ name }) => current[Math.min(looks, current.length - 1)]!.includes(name),
    filter: wholeDay(),
    page: { cursor: "", oldestFirst: false, size: 20, withBodies: false },
    pace: new Pace({ deadline: Infinity, rows: Infinity, slice: Infinity, turn: () => Promise.resolve() }),
    open({ name }) {
      opened.push(name);
      throw new Error(`${name} cannot be opened`);
    },
    report: ({ name }) => void reported.push(name),
  });
  return { found, reported, opened };
}

describe("a segment that cannot be opened", () => {
  test("is damaged when it is still there: it is told and left out", async () => {
    expect(await search([["a", "b"]])).toEqual({
      found: { entries: [] },
      reported: expect.arrayContaining(["a", "b"]),
      opened: expect.arrayContaining(["a", "b"]),
    });
  });

  test("was merged when it is not: the search begins anew", async () => {
    const { reported, opened } = await search([["a", "b"], ["merged"], ["merged"]]);
    expect(opened.toSorted()).toEqual(["a", "b", "merged"]);
    expect(reported).toEqual(["merged"]);
  });

  test("is given up when segments never stay", async () => {
    const names = Array.from({ length: 50 }, (_, number) => [`s${number}`]);
    await expect(search(names)).rejects.toThrow("change faster");
  });
});
