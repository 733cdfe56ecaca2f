import { describe, expect, test } from "vitest";
import { addTogether, type Draft, refreshed } from "../../../plugins/console/app/areas/dns/zone/batch.ts";
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

describe("records that are added together", () => {
  const rowOf = (value: string) => withField(newRow(), "value", value);
  /** A server that refuses some values by their place, as it does for all or none. */
  function server(refuses: readonly string[]) {
    const stored: string[][] = [];
    const send = (drafts: readonly Draft[]) => {
      const bad = drafts.findIndex(({ value }) => refuses.includes(value));
      if (bad >= 0) return Promise.reject(new Error(`recordsJSON[${bad}].value: must be an IPv4 address`));
      stored.push(drafts.map(({ value }) => value));
      return Promise.resolve();
    };
    return { stored, send };
  }

  test("what is refused is left out with its reason, and the others are sent again", async () => {
    const rows = ["192.0.2.1", "first", "192.0.2.2", "second"].map(rowOf);
    const { stored, send } = server(["first", "second"]);
    let done = 0;
    const { refused, left } = await addTogether(rows, send, (count) => done += count);
    expect([stored, left, done]).toEqual([[["192.0.2.1", "192.0.2.2"]], [], 4]);
    expect([...refused].map(([key, error]) => [key, String(error)])).toEqual([
      [rows[1]!.key, "Error: value: must be an IPv4 address"],
      [rows[3]!.key, "Error: value: must be an IPv4 address"],
    ]);
  });

  test("an error that names no record leaves the records to be sent one by one", async () => {
    const rows = ["192.0.2.1", "192.0.2.2"].map(rowOf);
    const { refused, left } = await addTogether(rows, () => Promise.reject(new Error("too many records")), () => {});
    expect([refused.size, left]).toEqual([0, rows]);
  });

  test("a long zone is sent in several parts", async () => {
    const { stored, send } = server([]);
    await addTogether(Array.from({ length: 1200 }, (_, at) => rowOf(`192.0.2.${at}`)), send, () => {});
    expect(stored.map(({ length }) => length)).toEqual([500, 500, 200]);
  });

  test("the rows keep their order when they are loaded again, and those that were not sent stay", () => {
    const [one, two, refused] = ["192.0.2.1", "192.0.2.2", "bad"].map(rowOf);
    const changed = withField(unchangedRow(record({ id: 5n })), "ttl", "60");
    const gone = unchangedRow(record({ id: 6n }));
    const now = [record({ id: 9n, value: "192.0.2.2" }), record({ id: 5n, ttl: 60 }), record({ id: 8n })];
    const rows = refreshed(
      [one!, refused!, changed, two!, gone],
      [...now, record({ id: 10n })],
      (row) => row === refused,
    );
    expect(rows.map(({ key, before }) => [key, before?.id])).toEqual([
      [one!.key, 8n],
      [refused!.key, undefined],
      ["5", 5n],
      [two!.key, 9n],
      ["10", 10n],
    ]);
  });
});
