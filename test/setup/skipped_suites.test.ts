import { expect, test } from "vitest";
import { summary } from "./skipped_suites.ts";

test("skipped suites are summed up in one line, by what they need", () => {
  expect(summary([
    { path: "test/a.test.ts", skipped: 3, needs: ["strace"] },
    { path: "test/b.test.ts", skipped: 0, needs: [] },
    { path: "test/c.test.ts", skipped: 4, needs: ["nsd"] },
    { path: "test/d.test.ts", skipped: 2, needs: ["strace"] },
  ])).toBe("skipped suites: 5 tests need strace (test/a.test.ts, test/d.test.ts); 4 tests need nsd (test/c.test.ts)");
});

test("a run that misses nothing has no such line", () => {
  expect(summary([{ path: "test/a.test.ts", skipped: 1, needs: [] }])).toBeUndefined();
});
