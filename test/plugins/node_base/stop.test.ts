import { testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import { rowsOf, temporaryDirectory } from "../../core/storage/engines.ts";
import { connectNode, nodesPlugin } from "./rig.ts";

/** The time that a stop may take. It waits that long for streams that do not end. */
const LIMIT_MILLISECONDS = 1000;

test("an instance that stops ends its streams, records that, and only then closes the database", async () => {
  const directory = await temporaryDirectory();
  const events: string[] = [];
  const plugins = [nodeBase, nodesPlugin(events, () => {})];
  const first = await testKernel({ plugins, directory });
  const node = await connectNode(first, 1n);
  const read = (sql: string) => first.engine.migrate((session) => rowsOf(session, sql));
  expect(await read("select kind, nodeId from nodeStreamSessions")).toEqual([["nodes", 1n]]);
  expect(await read("select count(*) from nodeStreamInstances")).toEqual([[1n]]);

  const ended = node.next().catch(() => undefined);
  await first.kernel.stop(LIMIT_MILLISECONDS);
  expect(events).toEqual(["1 connected", "1 disconnected"]);
  expect(await ended).toBeUndefined();

  await using second = await testKernel({ plugins, directory });
  for (const table of nodeBase.manifest.tables) {
    expect(await second.engine.migrate((session) => rowsOf(session, `select * from ${table}`))).toEqual([]);
  }
  expect(events).toHaveLength(2);
});
