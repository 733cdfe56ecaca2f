import type { Call, Logger } from "edgehelm";
import { TestClock } from "edgehelm/testing";
import { expect, test } from "vitest";
import { ForeignRows, pastDaysSetting } from "../../../plugins/node_base/contract.ts";

type LogFields = NonNullable<Parameters<Logger["warn"]>[1]>;

const clock = new TestClock(1741608000_000);

test("foreign rows are counted at once, and logged once a minute with their number and a node that sent them", () => {
  const lines: LogFields[] = [];
  let counted = 0;
  const log = { warn: (_message: string, fields: LogFields) => void lines.push(fields) } as unknown as Logger;
  const foreign = new ForeignRows({ count: (rows) => void (counted += rows), log, clock });
  const drop = (nodeId: bigint, rows: number) =>
    foreign.dropped({ caller: { role: "dns", nodeId } } as unknown as Call, rows);
  drop(1n, 0);
  expect([counted, lines]).toEqual([0, []]);
  drop(1n, 3);
  expect([counted, lines]).toEqual([3, [{ rows: 3, role: "dns", nodeId: 1n }]]);
  drop(1n, 4);
  clock.advance(59);
  drop(2n, 5);
  expect([counted, lines.length]).toEqual([12, 1]);
  clock.advance(1);
  drop(3n, 6);
  expect([counted, lines[1], lines.length]).toEqual([18, { rows: 15, role: "dns", nodeId: 3n }, 2]);
});

test("the number of past days is 3 unless it is set", () => {
  expect([undefined, 0, 7].map((days) => pastDaysSetting(days))).toEqual([3, 0, 7]);
});
