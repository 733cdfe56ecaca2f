import { appendFileSync, readFileSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CheckSetting, checkSetting, effectiveCheck } from "../../../../plugins/ns_node/agent/health/check.ts";
import { HealthChecker } from "../../../../plugins/ns_node/agent/health/checker.ts";
import { recordSets } from "../../../../plugins/ns_node/agent/knot/record_set.ts";
import { isAfter, nextSerial } from "../../../../plugins/ns_node/agent/knot/serial.ts";
import { Metrics } from "../../../../plugins/ns_node/agent/metrics.ts";
import { NodeState } from "../../../../plugins/ns_node/agent/store/node_state.ts";
import { ZoneFile, type ZoneHead, type ZoneRow } from "../../../../plugins/ns_node/agent/store/zone_file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgehelm-store-"));
});
afterEach(() => rm(folder, { recursive: true }));

const headOf = (version: number): ZoneHead => ({
  ...{ name: "one.test", isOn: true, isTransferred: false, serial: version, served: version, authority: [] },
  version: `${version}`,
});
const rowOf = (id: number, data: string, more: Partial<ZoneRow> = {}): ZoneRow => ({
  ...{ id: `${id}`, name: "www", type: "A", ttl: 600, data, isUp: true, routeCodes: [] },
  ...more,
});

describe("the file of a zone", () => {
  test("has the last version after each change, whatever a crash left behind it", () => {
    const path = join(folder, "1.log");
    const file = ZoneFile.open(path, "1");
    file.append(headOf(1), [rowOf(1, "192.0.2.1"), rowOf(2, "192.0.2.2")]);
    file.append(headOf(2), [{ id: "1", isDeleted: true }]);
    appendFileSync(path, '{"head":{"version":"3"');
    const again = ZoneFile.open(path, "1");
    expect([again.head, [...again.rows.values()]]).toEqual([headOf(2), [rowOf(2, "192.0.2.2")]]);
    again.append(headOf(3), [rowOf(3, "192.0.2.3")]);
    expect(ZoneFile.open(path, "1").rows.size).toBe(2);
  });

  test("does not grow with the number of changes", async () => {
    const path = join(folder, "1.log");
    const file = ZoneFile.open(path, "1");
    for (let at = 1; at <= 1000; at++) file.append(headOf(at), [rowOf(1, `192.0.2.${at % 256}`)]);
    expect((await stat(path)).size).toBeLessThan(60_000);
    expect(ZoneFile.open(path, "1").head.version).toBe("1000");
  });
});

test("a state is private, and that of another node is forgotten", async () => {
  const state = new NodeState(folder, "one");
  state.zone("1").append(headOf(1), [rowOf(1, "192.0.2.1")]);
  state.savePositions({ domains: "7" });
  expect((await stat(join(folder, "positions.json"))).mode & 0o777).toBe(0o600);
  const again = new NodeState(folder, "one");
  expect([again.positions.domains, again.zones.size]).toEqual(["7", 1]);
  const other = new NodeState(folder, "two");
  expect([other.positions.domains, other.zones.size]).toEqual(["0", 0]);
  expect(readFileSync(join(folder, "positions.json"), "utf8")).toContain('"one"');
});

test("serials only grow, also around the end of their range", () => {
  expect([isAfter(2, 1), isAfter(1, 2), isAfter(1, 1), isAfter(3, 2 ** 32 - 1)]).toEqual([true, false, false, true]);
  expect([nextSerial(7, 0), nextSerial(7, 6), nextSerial(5, 6), nextSerial(5, 2 ** 32 - 1)]).toEqual([7, 7, 7, 5]);
  expect(nextSerial(2 ** 32 - 1, 2 ** 32 - 1)).toBe(1);
});

test("record sets have the smallest TTL, and neither records that are down nor those of some clients", () => {
  const rows = [
    rowOf(1, "192.0.2.1"),
    rowOf(2, "192.0.2.2", { ttl: 60 }),
    rowOf(3, "192.0.2.3", { isUp: false, ttl: 1 }),
    rowOf(4, "192.0.2.4", { routeCodes: ["world:US"] }),
    rowOf(5, "192.0.2.5", { routeCodes: ["world:US", "default"] }),
  ];
  const sets = recordSets([{ name: "@", type: "NS", ttl: 3600, data: "ns1.test." }], rows);
  expect(sets.get("www A")).toMatchObject({ ttl: 60, data: new Set(["192.0.2.1", "192.0.2.2", "192.0.2.5"]) });
  expect([...sets.keys()]).toEqual(["@ NS", "www A"]);
});

test("record sets have the records that are down if all of a set are", () => {
  const down = { isUp: false };
  const rows = [
    rowOf(1, "192.0.2.1", down),
    rowOf(2, "192.0.2.2", down),
    rowOf(3, "2001:db8::1", { ...down, type: "AAAA" }),
    rowOf(4, "2001:db8::2", { type: "AAAA" }),
    rowOf(5, "192.0.2.5", { ...down, name: "api", routeCodes: ["world:US"] }),
  ];
  const sets = recordSets([], rows);
  expect([...sets.keys()].sort()).toEqual(["www A", "www AAAA"]);
  expect(sets.get("www A")?.data).toEqual(new Set(["192.0.2.1", "192.0.2.2"]));
  expect(sets.get("www AAAA")?.data).toEqual(new Set(["2001:db8::2"]));
});

test.each<[string, Partial<CheckSetting> | undefined, Partial<CheckSetting> | undefined, object | undefined]>([
  ["no setting", undefined, undefined, undefined],
  ["a domain's that is off", undefined, { port: 22 }, undefined],
  ["a domain's", undefined, { isOn: true, port: 22 }, { port: 22, timeoutSeconds: 5, countUp: 1, countDown: 3 }],
  ["its own that is off", {}, { isOn: true }, undefined],
  ["its own, where the domain's is off", { isOn: true, countUp: 2 }, { countDown: 9 }, {
    ...{ port: 80, timeoutSeconds: 5, countUp: 2, countDown: 9 },
  }],
  ["a long time for a connection", { isOn: true, timeoutSeconds: 3600 }, undefined, {
    ...{ port: 80, timeoutSeconds: 10, countUp: 1, countDown: 3 },
  }],
  ["its own before the domain's", { isOn: true, port: 1 }, { isOn: true, port: 2, timeoutSeconds: 7 }, {
    ...{ port: 1, timeoutSeconds: 7, countUp: 1, countDown: 3 },
  }],
])("the health check of a record with %s", (_with, own, ofDomain, expected) => {
  const settingOf = (one: Partial<CheckSetting> | undefined) =>
    checkSetting(one === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(one)));
  const check = effectiveCheck(settingOf(own), settingOf(ofDomain));
  expect(check).toEqual(expected && { isOn: true, ...expected });
});

test("addresses that do not respond hold up the checks of their own zone alone", async () => {
  const check = { isOn: true, port: 80, timeoutSeconds: 1, countUp: 1, countDown: 1 };
  const state = new NodeState(folder, "one");
  const silent = Array.from({ length: 1000 }, (_, at) => rowOf(at + 1, `silent ${at}`));
  state.zone("1").append({ ...headOf(1), check }, silent);
  state.zone("2").append({ ...headOf(1), check }, [rowOf(2000, "192.0.2.1")]);
  let [asked, checks] = [0, 0];
  const connects = (address: string) => {
    if (address !== "192.0.2.1") return new Promise<boolean>(() => void asked++);
    checks++;
    return Promise.resolve(checks > 2);
  };
  const reports: [string, boolean][] = [];
  const taken = { set: (id: string, isUp: boolean) => void reports.push([id, isUp]), forget: () => {} };
  const stop = new AbortController();
  const running = new HealthChecker(state.zones, taken, new Metrics(), connects).run(1, stop.signal);
  await expect.poll(() => reports).toEqual([["2000", false], ["2000", true]]);
  stop.abort();
  await running;
  expect(asked).toBe(8);
});
