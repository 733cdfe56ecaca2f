import { describe, expect, test } from "vitest";
import { SearchBudget } from "../../../plugins/access_log_segments/search/search_budget.ts";
import { searchCurrent } from "../../../plugins/access_log_segments/search/search.ts";
import type { SegmentInfo } from "../../../plugins/access_log_segments/search/segment.ts";
import { wholeDay } from "../http_access_log/stores/filters.ts";

function segment(name: string): SegmentInfo {
  const { from: firstId, to: lastId } = wholeDay();
  return { name, firstId, lastId, partition: 0 } as SegmentInfo;
}

/** Runs a search in which no segment can be opened; `current` has the segments of each attempt. */
async function search(current: readonly (readonly string[])[]) {
  const [reported, opened]: [string[], string[]] = [[], []];
  let attempts = 0;
  const existing = () => current[Math.min(attempts, current.length) - 1]!;
  const found = await searchCurrent({
    current: () => (attempts++, existing().map(segment)),
    // the state when the search opens the segment
    isCurrent: ({ name }) => current[Math.min(attempts, current.length - 1)]!.includes(name),
    filter: wholeDay(),
    page: { cursor: "", oldestFirst: false, size: 20, withBodies: false },
    budget: new SearchBudget({ deadline: Infinity, rows: Infinity, slice: Infinity, turn: () => Promise.resolve() }),
    open({ name }) {
      opened.push(name);
      throw new Error(`${name} cannot be opened`);
    },
    report: ({ name }) => void reported.push(name),
  });
  return { found, reported, opened };
}

describe("a segment that cannot be opened", () => {
  test("is reported as damaged and skipped if it still exists", async () => {
    expect(await search([["a", "b"]])).toEqual({
      found: { entries: [] },
      reported: expect.arrayContaining(["a", "b"]),
      opened: expect.arrayContaining(["a", "b"]),
    });
  });

  test("restarts the search if it was merged", async () => {
    const { reported, opened } = await search([["a", "b"], ["merged"], ["merged"]]);
    expect(opened.toSorted()).toEqual(["a", "b", "merged"]);
    expect(reported).toEqual(["merged"]);
  });

  test("ends the search with an error if segments keep changing", async () => {
    const names = Array.from({ length: 50 }, (_, number) => [`s${number}`]);
    await expect(search(names)).rejects.toThrow("changed too often");
  });
});
