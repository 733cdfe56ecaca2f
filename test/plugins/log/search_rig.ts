import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { beforeEach, onTestFinished } from "vitest";
import plugin from "../../../plugins/log/plugin.ts";
import { type CreateLogRequestSchema, type Log, LogService } from "../../../plugins/log/proto/service_log_pb.ts";
import { openTestDatabase } from "../../harness/database.ts";
import { type LoggedStatement, withStatementLog } from "../../harness/statement_log.ts";

export const rpc = LogService.method;
export const admin = as.admin(3n);
export const START = 1_800_000_000;
export const DAY = 86_400;
const TEST_SCOPE = { owner: "test", tables: undefined };

export let directory: string;
export let clock: TestClock;
export let edgehelm: TestKernel;
/** The statements that the plugin ran since the array was last cleared. */
export const ran: LoggedStatement[] = [];
// The number of indexed logs is that of the whole installation, so every test opens its own.
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  clock = new TestClock(START * 1000);
  await open();
  onTestFinished(async () => {
    await edgehelm[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });
});

export async function open(logPlugin = plugin): Promise<void> {
  ran.length = 0;
  const engine = withStatementLog(await openTestDatabase(directory), "log", (statement) => ran.push(statement));
  edgehelm = await testKernel({ plugins: [logPlugin], engine, clock });
}

export async function write(logs: readonly MessageInitShape<typeof CreateLogRequestSchema>[], caller = admin) {
  for (let from = 0; from < logs.length; from += 100) {
    const batch = logs.slice(from, from + 100);
    await Promise.all(batch.map((log) => edgehelm.call(caller, rpc.createLog, { level: "info", ...log })));
  }
}

export type LogFilter = Record<string, unknown>;

export async function list(request: LogFilter): Promise<Log[]> {
  return (await edgehelm.call(admin, rpc.listLogs, { source: "log", ...request })).logs;
}

export async function count(request: LogFilter): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.countLogs, { source: "log", ...request })).count;
}

export async function allLogs(): Promise<Log[]> {
  const all: Log[] = [];
  for (let pageLength = 1000; pageLength === 1000;) {
    const page = await list({ size: 1000n, offset: BigInt(all.length) });
    all.push(...page);
    pageLength = page.length;
  }
  return all;
}

export async function number(sql: string): Promise<number> {
  const { rows } = await edgehelm.engine.reader.run({ sql, scope: TEST_SCOPE }, []);
  return Number(rows[0]![0]);
}

/** Returns the number of logs in the search index. */
export function indexedCount(): Promise<number> {
  return number("select count(*) from logs_search_docsize");
}

export function catchUp(): Promise<void> {
  return edgehelm.kernel.runJob("log.index_logs");
}
