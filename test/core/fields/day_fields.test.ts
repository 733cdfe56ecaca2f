import { daysField } from "edgehelm/fields";
import { describe, expect, test } from "vitest";

const at = (text: string) => BigInt(Date.parse(`${text}Z`) / 1000);

describe("daysField", () => {
  test("returns the span of the days, both included, with or without dashes", () => {
    expect(daysField({ dayFrom: "2027-01-31", dayTo: "20270201" }))
      .toEqual({ from: at("2027-01-31T00:00:00"), to: at("2027-02-02T00:00:00") });
  });

  test("sets no limit for an empty day", () => {
    const { from, to } = daysField({ dayFrom: "", dayTo: " " });
    expect(from).toBe(0n);
    expect(to).toBeGreaterThan(at("9999-12-31T00:00:00"));
  });

  test.each(["yesterday", "2027-02-29", "2027-13-01", "2027-1-1", "20270131T00", "+2027-01-01"])(
    "refuses %j",
    (dayTo) => {
      expect(() => daysField({ dayFrom: "", dayTo })).toThrow(/^dayTo: must be a day such as 2026-01-31/);
    },
  );
});
