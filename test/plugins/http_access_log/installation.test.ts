import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { open as openClickHouse } from "../../../plugins/access_log_clickhouse/host.ts";
import clickhouse from "../../../plugins/access_log_clickhouse/plugin.ts";
import { AccessLogClickHouseConfigSchema } from "../../../plugins/access_log_clickhouse/proto/config_pb.ts";
import { open as openSegments } from "../../../plugins/access_log_segments/host.ts";
import segments from "../../../plugins/access_log_segments/plugin.ts";
import { AccessLogSegmentsConfigSchema } from "../../../plugins/access_log_segments/proto/config_pb.ts";
import {
  HTTPAccessLogSchema,
  HTTPAccessLogService,
} from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { TEST_DATABASE } from "../../harness/database.ts";
import { logKernel, type LogKernelOptions } from "./rig.ts";
import { DAYS } from "./stores/random_logs.ts";

const { createHTTPAccessLogs, listHTTPAccessLogs } = HTTPAccessLogService.method;
/** 2025-03-10, noon in UTC. */
const NOON = 1741608000_000;
const KEPT = { retentionDays: 36_500 };

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-logs-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** The plugins of both stores with their real host parts. */
function stores(dataDirectory: string): Partial<LogKernelOptions> {
  return {
    plugins: [segments, clickhouse],
    hosts: {
      access_log_segments: openSegments(create(AccessLogSegmentsConfigSchema), { dataDirectory }),
      access_log_clickhouse: openClickHouse(create(AccessLogClickHouseConfigSchema), { dataDirectory }),
    },
  };
}

async function open(directory: string, options: Partial<LogKernelOptions>): Promise<TestKernel> {
  return await logKernel({ clock: new TestClock(NOON), directory, config: KEPT, ...options });
}

/** Lists all logs page by page. */
async function listed(edgehelm: TestKernel) {
  const ids: string[] = [];
  const digest = createHash("sha256");
  for (const day of DAYS) {
    for (let requestId = "", hasMore = true; hasMore;) {
      const request = { day: String(day), size: 100n, requestId };
      const page = await edgehelm.call(as.admin(), listHTTPAccessLogs, request, "grpc");
      ({ requestId, hasMore } = page);
      for (const { node: _node, ...log } of page.httpAccessLogs) {
        ids.push(log.requestId);
        digest.update(toBinary(HTTPAccessLogSchema, log));
      }
    }
  }
  return { ids, sha256: digest.digest("hex") };
}

describe.skipIf(TEST_DATABASE !== "file")("an installation with a local database", () => {
  test("without plugins for stores keeps logs as rows, which it finds again", async () => {
    const directory = await newDirectory();
    const first = await open(directory, {});
    const httpAccessLogs = [1, 2, 3].map((number) => ({ requestId: `${NOON}${number}`, serverId: BigInt(number) }));
    await first.call(as.node(5n), createHTTPAccessLogs, { httpAccessLogs });
    const logs = await listed(first);
    expect(logs.ids).toEqual([`${NOON}3`, `${NOON}2`, `${NOON}1`]);
    await first.stop();
    const again = await open(directory, {});
    expect(await listed(again)).toEqual(logs);
    await again.stop();
    expect(await readdir(directory)).not.toContain("access_logs");
  });

  test("with them keeps logs in segments", async () => {
    const directory = await newDirectory();
    const edgehelm = await open(directory, stores(directory));
    const httpAccessLogs = [{ requestId: `${NOON}1`, serverId: 1n }];
    await edgehelm.call(as.node(5n), createHTTPAccessLogs, { httpAccessLogs });
    await edgehelm.stop();
    expect(await readdir(directory)).toContain("access_logs");
    const withoutStores = await open(directory, {});
    expect((await listed(withoutStores)).ids).toEqual([]);
    await withoutStores.stop();
  });

  test("that chooses clickhouse without its address does not start", async () => {
    const directory = await newDirectory();
    await expect(open(directory, { ...stores(directory), config: { store: "clickhouse" } })).rejects.toThrow(
      'plugin "http_access_log" failed to set up: access_log_clickhouse: url: must be an http or https address',
    );
  });

  test("refuses to leave less than no space free", async () => {
    const config = create(AccessLogSegmentsConfigSchema, { minFreeBytes: -1n });
    expect(() => openSegments(config, { dataDirectory: tmpdir() })).toThrow(
      "minFreeBytes: must not be negative, got -1",
    );
  });
});

/** A data directory of the release that had all stores in one plugin, and what that release listed of each store. */
interface EarlierRelease {
  /** The files as base64, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly listed: Readonly<Record<"rows" | "segments", { readonly ids: readonly string[]; readonly sha256: string }>>;
}

describe.skipIf(TEST_DATABASE !== "file")("the data of an earlier release", () => {
  test.each(["rows", "segments"] as const)("lists the same logs: %s", async (store) => {
    const url = new URL("./earlier_release.json.gz", import.meta.url);
    const release: EarlierRelease = JSON.parse(gunzipSync(await readFile(url)).toString());
    const directory = await newDirectory();
    for (const [name, content] of Object.entries(release.files)) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), content, "base64");
    }
    const expected = release.listed[store];
    expect(expected.ids.length).toBeGreaterThan(50);
    for (const config of store === "rows" ? [{ ...KEPT, store }] : [KEPT, { ...KEPT, store }]) {
      const edgehelm = await open(directory, { ...stores(directory), config });
      expect(await listed(edgehelm)).toEqual(expected);
      await edgehelm.stop();
    }
  });
});
