import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, LIMIT_TABLE, type LimitName, readLimits } from "../../../core/base/limits.ts";
import { LimitSettingsSchema } from "../../../proto/installation_pb.ts";

const rows = Object.entries(LIMIT_TABLE) as [LimitName, (typeof LIMIT_TABLE)[LimitName]][];

describe("the table of limits", () => {
  test("has the names and the order of the settings in the installation manifest", () => {
    expect(rows.map(([name]) => name)).toEqual(LimitSettingsSchema.fields.map(({ localName }) => localName));
  });

  test.each(rows)("%s has a default within its range", (_name, { default: value, min, max }) => {
    expect(min).toBeGreaterThan(0);
    expect(value).toBeGreaterThanOrEqual(min);
    expect(value).toBeLessThanOrEqual(max);
    // The settings of the manifest are uint32.
    expect(max).toBeLessThan(2 ** 32);
  });
});

describe("readLimits", () => {
  test("fills in defaults", () => {
    expect(readLimits()).toEqual(DEFAULT_LIMITS);
    expect(readLimits({ calls: 5, jsonDepth: undefined })).toEqual({ ...DEFAULT_LIMITS, calls: 5 });
  });

  test("names every limit that is out of range", () => {
    expect(() => readLimits({ calls: 0, jsonDepth: 5000 })).toThrow(
      "2 errors:\n" +
        "- limits.jsonDepth: must be from 10 to 1000 levels, got 5000\n" +
        "- limits.calls: must be from 1 to 1048576 at once, got 0",
    );
  });

  test("refuses limits that contradict each other", () => {
    expect(() => readLimits({ httpBodyBytes: 2 ** 30 })).toThrow("limits.bodiesBytes: must be at least httpBodyBytes");
    expect(() => readLimits({ httpBodyBytes: 2048, anonymousBodyBytes: 4096 }))
      .toThrow("limits.anonymousBodyBytes: must be at most httpBodyBytes");
  });
});
