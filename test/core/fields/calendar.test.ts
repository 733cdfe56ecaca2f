import { addDays, addMonths, compactDay, dayField, today } from "edgehelm/fields";
import { TestClock } from "edgehelm/testing";
import { describe, expect, test } from "vitest";

test.each([
  ["2026-01-31", 1, "2026-02-28"],
  ["2028-01-31", 1, "2028-02-29"],
  ["2026-01-30", 1, "2026-02-28"],
  ["2026-01-15", 1, "2026-02-15"],
  ["2026-11-30", 3, "2027-02-28"],
  ["2026-12-31", 2, "2027-02-28"],
  ["2024-02-29", 12, "2025-02-28"],
  ["2026-08-31", 1, "2026-09-30"],
  ["2026-03-31", 24, "2028-03-31"],
])("%s plus %d months is %s", (day, months, later) => {
  expect(addMonths(day, months)).toBe(later);
});

test("a series that began on the 31st returns to it", () => {
  expect(addMonths("2026-02-28", 1, 31)).toBe("2026-03-31");
  expect(addMonths("2026-03-31", 1, 31)).toBe("2026-04-30");
});

test("addDays crosses the ends of months and years", () => {
  expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  expect(compactDay("2026-02-28")).toBe("20260228");
});

test("today returns the day in UTC", () => {
  expect(today(new TestClock(Date.UTC(2026, 0, 31, 23, 59, 59)))).toBe("2026-01-31");
  expect(today(new TestClock(Date.UTC(2026, 1, 1)))).toBe("2026-02-01");
});

describe("dayField", () => {
  test.each(["2026-02-28", "20260228", " 2026-02-28 "])("accepts %o", (value) => {
    expect(dayField("dayTo", value)).toBe("2026-02-28");
  });

  test.each(["", "2026-02-30", "2026-13-01", "20260001", "26-02-28", "2026-2-28", "tomorrow"])(
    "refuses %o",
    (value) => {
      expect(() => dayField("dayTo", value)).toThrow(`dayTo: must be a day such as 2026-01-31, got "${value}"`);
    },
  );
});
