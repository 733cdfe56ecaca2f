import { expect, test } from "vitest";
import { csvOf, jsonOf } from "../../../../plugins/console/app/areas/platform/audit/export.ts";

const log = {
  ...{ id: 7n, level: "warn", action: "/domains", adminId: 1n, userId: 0n, createdAt: 1_767_225_600n },
  ...{ ip: "192.0.2.1", userName: "Ada", description: "deleted example.com" },
  ...{ type: "admin", source: "log" },
};
const FIRST = "id,time,who,adminId,userId,level,action,description,ip,source\r\n";

test("records are written as CSV", () => {
  expect(csvOf([log])).toBe(
    `${FIRST}7,2026-01-01T00:00:00.000Z,Ada,1,0,warn,/domains,deleted example.com,192.0.2.1,log\r\n`,
  );
  expect(csvOf([])).toBe(FIRST);
});

test.each([
  ['says "no", twice', '"says ""no"", twice"'],
  ["two\nlines", '"two\nlines"'],
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["-1+1", "'-1+1"],
  ["@sum, all", '"\'@sum, all"'],
])("the text %j is the cell %j, which no spreadsheet runs", (description, cell) => {
  expect(csvOf([{ ...log, description }])).toContain(`,${cell},192.0.2.1`);
});

test("records are written as JSON", () => {
  expect(JSON.parse(jsonOf([log]))).toEqual([{
    ...{ id: 7, time: "2026-01-01T00:00:00.000Z", who: "Ada", adminId: 1, userId: 0, level: "warn" },
    ...{ action: "/domains", description: "deleted example.com", ip: "192.0.2.1", source: "log" },
  }]);
});
