import { describe, expect, test } from "vitest";
import {
  newRow,
  stateOf,
  summaryOf,
  unchangedRow,
  withField,
  type ZoneRecord,
  zoneText,
} from "../../../plugins/console/app/areas/dns/zone/changes.ts";

const BLANK = newRow().after!;

function record(fields: Partial<ZoneRecord>): ZoneRecord {
  return { ...BLANK, id: 7n, value: "192.0.2.1", ...fields };
}

describe("the changes of a zone", () => {
  test("a row is changed until its fields are what they were", () => {
    const row = unchangedRow(record({ ttl: 60 }));
    const changed = withField(row, "ttl", "300");
    expect([stateOf(row), stateOf(changed), stateOf(withField(changed, "ttl", "60"))])
      .toEqual(["same", "changed", "same"]);
  });

  test("what is no number leaves a number as it was", () => {
    expect(withField(unchangedRow(record({ ttl: 60 })), "ttl", "1h").after?.ttl).toBe(60);
  });

  test("they are counted by kind", () => {
    const row = unchangedRow(record({}));
    const rows = [row, newRow(), withField(row, "value", "192.0.2.2"), { ...row, after: undefined }];
    expect(summaryOf(rows)).toEqual({ same: 1, new: 1, changed: 1, gone: 1 });
  });
});

describe("the zone as it will be", () => {
  test.each<[string, Partial<ZoneRecord>, string]>([
    ["MX", { type: "MX", value: "mail.example.net.", mxPriority: 10 }, "10 mail.example.net."],
    [
      "SRV",
      { type: "SRV", value: "sip.example.net.", srvPriority: 1, srvWeight: 2, srvPort: 5060 },
      "1 2 5060 sip.example.net.",
    ],
    ["SRV typed whole", { type: "SRV", value: "0 5 5060 sip.example.net." }, "0 5 5060 sip.example.net."],
    ["CAA", { type: "CAA", value: "ca.example.net", caaTag: "issue" }, '0 issue "ca.example.net"'],
    ["TXT with quotes", { type: "TXT", value: 'a "b" \\ c' }, '"a \\"b\\" \\\\ c"'],
    ["TXT of several strings", { type: "TXT", value: "x".repeat(300) }, `"${"x".repeat(255)}" "${"x".repeat(45)}"`],
  ])("%s", (_name, fields, data) => {
    expect(zoneText("example.com", [unchangedRow(record(fields))]).trimEnd().endsWith(` ${data}`)).toBe(true);
  });

  test("has no records that are removed, and says which are off", () => {
    const rows = [unchangedRow(record({ isOn: false })), {
      ...unchangedRow(record({ value: "gone" })),
      after: undefined,
    }];
    const text = zoneText("example.com", rows);
    expect(text).toMatch(/^\$ORIGIN example\.com\.\n; turned off: @ .* 192\.0\.2\.1\n$/);
  });
});
