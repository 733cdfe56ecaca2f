import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import plugin from "../../../plugins/node_log/plugin.ts";
import { NodeLogService } from "../../../plugins/node_log/proto/service_node_log_pb.ts";
import { openTestDatabase, TEST_DATABASE } from "../../harness/database.ts";
import { type LoggedStatement, plansOf, withStatementLog } from "../../harness/statement_log.ts";

const rpc = NodeLogService.method;
const admin = as.admin();

let ran: LoggedStatement[] = [];
let edgehelm: TestKernel;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  const engine = withStatementLog(await openTestDatabase(directory), "node_log", (one) => ran.push(one));
  edgehelm = await testKernel({ plugins: [plugin], engine });
  const nodeLogs = Array.from({ length: 900 }, (_, at) => ({
    role: at % 3 === 0 ? "dns" : "node",
    nodeId: BigInt(at % 7),
    serverId: BigInt(at % 5),
    originId: BigInt(at % 4),
    level: ["info", "error", "warning", "success"][at % 4]!,
    tag: "HTTP",
    description: `the log ${at}`,
  }));
  for (let from = 0; from < 4500; from += 900) {
    const distinct = nodeLogs.map((log) => ({ ...log, description: `${log.description} of ${from}` }));
    await edgehelm.call(admin, rpc.createNodeLogs, { nodeLogs: distinct });
  }
  await edgehelm.kernel.runJob("node_log.index");
});
afterAll(async () => {
  await edgehelm?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

async function plansFor(request: object): Promise<string[]> {
  ran = [];
  await edgehelm.call(admin, rpc.listNodeLogs, request);
  await edgehelm.call(admin, rpc.countNodeLogs, request);
  return await plansOf(edgehelm.engine, [...ran]);
}

test.runIf(TEST_DATABASE === "file").each([
  [{}, "INTEGER PRIMARY KEY"],
  [{ offset: 4000n }, "INTEGER PRIMARY KEY"],
  [{ role: "dns", offset: 1000n }, "INTEGER PRIMARY KEY"],
  [{ level: "error,success" }, "INTEGER PRIMARY KEY"],
  [{ dayFrom: "2020-01-01", allServers: true }, "INTEGER PRIMARY KEY"],
  [{ isUnread: true }, "INTEGER PRIMARY KEY"],
  [{ role: "node", nodeId: 3n }, "nodeLogs_node"],
  [{ nodeId: 3n, level: "info" }, "nodeLogs_node"],
  [{ role: "node", nodeId: 3n, isUnread: true }, "nodeLogs_unread"],
  [{ serverId: 2n }, "nodeLogs_site"],
  [{ serverId: 2n, level: "error", role: "node" }, "nodeLogs_site"],
  [{ originId: 2n, isUnread: true }, "nodeLogs_origin"],
  [{ fixedState: 2 }, "nodeLogs_open"],
  [{ fixedState: 1 }, "nodeLogs_fixed"],
  [{ fixedState: 2, role: "node", nodeId: 3n }, "nodeLogs_node"],
  [{ keyword: "the log 77 of" }, "found VIRTUAL TABLE"],
  [{ tag: "HTTP", level: "error" }, "found VIRTUAL TABLE"],
])("a list of %o uses an index and does not scan the table", async (request, index) => {
  const plans = await plansFor(request);
  expect(plans.join("\n")).toMatch(new RegExp(index));
  expect(plans.filter((step) => /^SCAN (l|later|nodeLogs)\b/.test(step) && !/USING (COVERING )?INDEX/.test(step)))
    .toEqual([]);
});

test("a thousand different logs are written with a few statements", async () => {
  const nodeLogs = Array.from({ length: 1000 }, (_, at) => ({
    role: "node",
    nodeId: BigInt(at % 50 + 1),
    level: at % 10 === 0 ? "success" : "error",
    type: "listen",
    description: `different ${at}`,
  }));
  ran = [];
  await edgehelm.call(admin, rpc.createNodeLogs, { nodeLogs });
  expect(ran.length).toBeLessThan(9);
});

test("deleting logs does not merge the search index, for which writers would wait", async () => {
  const sql = "select v from nodeLogSearch_config where k = 'deletemerge'";
  const { rows } = await edgehelm.engine.reader.run({ sql, scope: { owner: "test", tables: undefined } }, []);
  expect(rows).toEqual([[0n]]);
});
