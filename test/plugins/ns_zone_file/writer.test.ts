import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { qualifiedValue } from "../../../plugins/ns_record/targets.ts";
import { recordData } from "../../../plugins/ns_record/values.ts";
import { parseZone } from "../../../plugins/ns_zone_file/parser.ts";
import { writeZone } from "../../../plugins/ns_zone_file/writer.ts";
import { randomRecords } from "./rig.ts";
import { reportMissing } from "../../harness/needs.ts";

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);
const BLANK = { mxPriority: 0, srvPriority: 0, srvWeight: 0, srvPort: 0, caaFlag: 0, caaTag: "", weight: 0 };

function defaultRouteRecords(seed: number) {
  return randomRecords(seed).map((record) => ({ ...record, isOn: true, routeCodes: [] as string[] }));
}

test.each(SEEDS)("a written zone is parsed into the same records, seed %i", (seed) => {
  const records = defaultRouteRecords(seed);
  const text = writeZone("example.com", records);
  const { records: read, errors } = parseZone(text, "example.com");
  expect(errors).toEqual([]);
  const checked = (record: Parameters<typeof writeZone>[1][number]) => {
    const data = recordData((name) => name, { ...record, weight: 0 }, "example.com");
    return { ...data, value: qualifiedValue(data, "example.com") };
  };
  const actual = read.map(({ line: _, ...record }) => checked({ ...record, isOn: true, routeCodes: [] }));
  const byText = (a: unknown, b: unknown) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
  const expected = records.map(checked);
  expect(actual.sort(byText)).toEqual(expected.sort(byText));
  expect(writeZone("example.com", records.toReversed())).toBe(text);
});

test("strings have at most 255 bytes, and the file is ASCII", () => {
  const value = "✓".repeat(400);
  const text = writeZone("example.com", [{
    ...BLANK,
    name: "@",
    type: "TXT",
    value,
    ttl: 60,
    isOn: true,
    routeCodes: [],
  }]);
  // deno-lint-ignore no-control-regex
  expect(text).toMatch(/^[\x00-\x7f]*$/);
  const strings = [...text.matchAll(/"([^"]*)"/g)].map(([, inner]) => inner!.length / 4);
  expect(strings).toEqual([255, 255, 255, 255, 180]);
});

test("no value can inject a line", () => {
  const value = 'x"\n; evil A 192.0.2.66';
  const hostile = { ...BLANK, name: "@", ttl: 60, value, isOn: true };
  const text = writeZone("example.com", [
    { ...hostile, type: "TXT", routeCodes: [] },
    { ...hostile, type: "TXT", routeCodes: ["id:1\nevil A 192.0.2.66"] },
  ]);
  expect(text.split("\n").filter((line) => /^evil|^; evil/.test(line))).toEqual([]);
});

const hasCheckzone = spawnSync("named-checkzone", ["-v"]).status === 0;
if (!hasCheckzone) {
  reportMissing("bind9-utils");
}

describe("BIND accepts written zones", () => {
  test.skipIf(!hasCheckzone)("random zones", () => {
    const directory = mkdtempSync(join(tmpdir(), "edgehelm-zone-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const own = { ...BLANK, name: "@", ttl: 3600, isOn: true, routeCodes: [] };
    for (const seed of SEEDS) {
      const file = join(directory, `${seed}.zone`);
      const soa = "ns1.example.net host\\.master.example.net 7 7200 3600 1209600 300";
      const records = [
        ...defaultRouteRecords(seed),
        { ...own, type: "SOA", value: soa },
        { ...own, type: "NS", value: "ns1.example.net" },
      ];
      writeFileSync(file, writeZone("example.com", records));
      const options = ["-i", "none", "-k", "ignore", "-n", "ignore", "-M", "ignore", "-S", "ignore", "-r", "ignore"];
      const output = execFileSync("named-checkzone", [...options, "example.com", file], { encoding: "utf8" });
      expect(output).toContain("OK");
    }
  });
});
