import { create } from "@bufbuild/protobuf";
import type { Call } from "edgehelm";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createLogger } from "../../../core/base/log.ts";
import { AccessLogClickHouseConfigSchema } from "../../../plugins/access_log_clickhouse/proto/config_pb.ts";
import { addressOf } from "../../../plugins/access_log_clickhouse/host/address.ts";
import { ClickHouse } from "../../../plugins/access_log_clickhouse/host/client.ts";
import { openClickHouse } from "../../../plugins/access_log_clickhouse/host/store.ts";
import type { LogEntry, OpenLogStore } from "../../../plugins/http_access_log/contract.ts";
import { clickHouseRuns, ClickHouseServer } from "../../servers/clickhouse.ts";
import { wholeDay } from "../http_access_log/stores/filters.ts";
import { DAY, randomBatches } from "../http_access_log/stores/random_logs.ts";

const LOGS = "edgehelmAccessLogs";

describe("the address of a ClickHouse server", () => {
  const settings = { url: "http://127.0.0.1:8123", database: "", username: "", password: "" };
  const address = (changed: Partial<typeof settings>) =>
    addressOf(create(AccessLogClickHouseConfigSchema, { ...settings, ...changed }));

  test("has defaults and a password by reference", () => {
    const defaults = { url: settings.url, database: "default", username: "default", password: "" };
    expect(address({})).toEqual(defaults);
    vi.stubEnv("TEST_CLICKHOUSE_PASSWORD", "a secret");
    expect(address({ password: "env:TEST_CLICKHOUSE_PASSWORD" })).toEqual({ ...defaults, password: "a secret" });
    vi.unstubAllEnvs();
  });

  test.each([
    [{ url: "" }, "access_log_clickhouse: url: must be an http or https address without a user"],
    [
      { url: "http://user:secret@127.0.0.1" },
      "access_log_clickhouse: url: must be an http or https address without a user",
    ],
    [{ password: "plain secret" }, 'access_log_clickhouse: password: must be a reference, "env:NAME" or "file:/path"'],
    [{ password: "env:NO_SUCH_VARIABLE" }, "the environment variable NO_SUCH_VARIABLE is not set"],
    [{ password: "file:/no/such/file" }, "the file /no/such/file cannot be read: ENOENT"],
  ])("refuses %o without revealing the secret", (invalid, message) => {
    expect(() => address(invalid)).toThrow(message);
    expect(() => address(invalid)).not.toThrow("secret@");
  });
});

describe.runIf(clickHouseRuns())("a ClickHouse server", () => {
  let server: ClickHouseServer;
  let edgehelm: TestKernel;
  let opened: OpenLogStore;
  let lines: string[];
  const call = () => edgehelm.kernel.systemCall("test");
  const clock = new TestClock();

  function open(address = server.address): OpenLogStore {
    const log = createLogger({ level: "debug", write: (line) => lines.push(String(line)), clock });
    return openClickHouse(address, { clock, log, partitionRows: 1000n });
  }

  beforeAll(async () => {
    server = await ClickHouseServer.start();
    edgehelm = await testKernel({ plugins: [] });
  });
  afterAll(async () => {
    await edgehelm?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    lines = [];
    await server.restart();
    opened = open();
    for (const { day } of await opened.store.days(call())) await opened.store.dropDay(call(), day);
  });

  const batches = (rows: number, seed: number): LogEntry[][] => [...randomBatches(rows, seed)];
  const idsOf = (entries: readonly LogEntry[]) => [...new Set(entries.map(({ requestId }) => requestId))].sort();

  async function storedIds(): Promise<string[]> {
    const found: string[] = [];
    for (const { day } of await opened.store.days(call())) {
      for (let cursor = "";;) {
        const page = { cursor, oldestFirst: true, size: 1000, withBodies: false };
        const { entries, stoppedAt } = await opened.store.list(call(), wholeDay(day), page);
        found.push(...entries.map(({ requestId }) => requestId));
        if (entries.length < 1000 && stoppedAt === undefined) break;
        cursor = stoppedAt ?? entries.at(-1)!.requestId;
      }
    }
    return found.sort();
  }

  test("groups concurrent appends into few inserts and stores each request once", async () => {
    const all = batches(5000, 11);
    await Promise.all([...all, ...all].map((batch) => opened.store.append(call(), batch)));
    expect(await storedIds()).toEqual(idsOf(all.flat()));
    const days = await opened.store.days(call());
    const raw = new ClickHouse(server.address);
    const parts = await raw.rows(`select max(max_block_number) from system.parts where table = '${LOGS}'`, 9);
    expect(Number(parts[0]![0])).toBeLessThan(4 * days.length);
    await raw.close();
  });

  test("returns an error while it is unreachable, then recovers with all acknowledged logs", async () => {
    const [first, second] = [batches(1500, 12), batches(1500, 13)];
    for (const batch of first) await opened.store.append(call(), batch);
    await server.kill();
    const unreachable = { reason: "kernel.unavailable", message: "the ClickHouse server cannot be reached" };
    await expect(opened.store.append(call(), second[0]!)).rejects.toMatchObject(unreachable);
    const page = { cursor: "", oldestFirst: false, size: 20, withBodies: false };
    await expect(opened.store.list(call(), wholeDay(), page)).rejects.toMatchObject(unreachable);
    await server.restart();
    expect(await storedIds()).toEqual(idsOf(first.flat()));
    for (const batch of [...first, ...second]) await opened.store.append(call(), batch);
    expect(await storedIds()).toEqual(idsOf([...first, ...second].flat()));
  });

  test("neither loses nor duplicates acknowledged logs when it is killed during appends", async () => {
    const acknowledged: LogEntry[] = [];
    for (let round = 0; round < 3; round++) {
      const sent = batches(3000, 20 + round).map((batch) =>
        opened.store.append(call(), batch).then(() => acknowledged.push(...batch), () => {})
      );
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.race(sent);
      await server.restart();
      await Promise.all(sent);
      const found = await storedIds();
      expect(found).toEqual([...new Set(found)]);
      const foundSet = new Set(found);
      expect(idsOf(acknowledged).filter((id) => !foundSet.has(id))).toEqual([]);
    }
    expect(acknowledged.length).toBeGreaterThan(0);
  });

  test("rejects a wrong password without revealing it", async () => {
    const wrong = open({ ...server.address, password: "not the password" });
    const appending = wrong.store.append(call(), batches(10, 3)[0]!);
    await expect(appending).rejects.toMatchObject({ message: "the ClickHouse server rejected the user or password" });
    expect(lines.join()).not.toContain("not the password");
    await wrong.close();
  });

  test("is not used if its tables have a newer version", async () => {
    await opened.store.append(call(), batches(10, 3)[0]!);
    const raw = new ClickHouse(server.address);
    await raw.insert("edgehelmAccessLogVersions", [{ version: 99 }]);
    const later = open();
    await expect(later.store.days(call())).rejects.toThrow("have version 99; this release supports up to 1");
    await raw.command("drop table edgehelmAccessLogVersions");
    await later.close();
    await raw.close();
  });

  test("stops a search at its deadline and continues from there", async () => {
    const all = batches(3000, 31).flat();
    await opened.store.append(call(), all);
    const filter = { ...wholeDay(), keyword: { kind: "anywhere", text: "nothing-has-this" } } as const;
    const page = { cursor: "", oldestFirst: false, size: 20, withBodies: false };
    const expiring = { deadline: Date.now() + 1 } as Call;
    const { entries, stoppedAt } = await opened.store.list(expiring, filter, page);
    expect(entries).toEqual([]);
    expect(stoppedAt).toMatch(/^\d{10}$/);
    const rest = await opened.store.list(call(), filter, { ...page, cursor: stoppedAt! });
    expect(rest).toEqual({ entries: [], stoppedAt: undefined });
    expect(await opened.store.partitions(call(), DAY)).toEqual([0n, 1n, 2n]);
  });
});
