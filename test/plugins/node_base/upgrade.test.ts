import { definePlugin, type Plugin } from "edgehelm";
import { TestClock, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { KERNEL_MIGRATIONS } from "../../../core/kernel/migrations/mod.ts";
import type { StorageEngine } from "../../../core/storage/engine.ts";
import { migrate } from "../../../core/storage/migrate/migrate.ts";
import { NodeStreams } from "../../../plugins/node_base/contract.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import nsCluster from "../../../plugins/ns_cluster/plugin.ts";
import nsNode from "../../../plugins/ns_node/plugin.ts";
import { type EngineKind, ENGINES, makeSchema, rowsOf } from "../../core/storage/engines.ts";

const JOBS = "select name from kernel_leases where dueAt > 0 order by name";
const SCHEMA =
  "select name, sql from sqlite_master where tbl_name like 'nodeStream%' or tbl_name like 'kernel_node%' order by name";
const start = new TestClock().now();

/**
 * Creates the tables of the release that had the streams of nodes in the kernel, as two crashed instances left them:
 * the node 1 was connected to both, the nodes 2 and 3 to one of them.
 */
async function openOldDatabase(kind: EngineKind): Promise<StorageEngine> {
  const engine = await kind.open();
  const released = Object.entries(KERNEL_MIGRATIONS.migrations).filter(([name]) => name < "0003");
  await migrate(engine, { ...KERNEL_MIGRATIONS, migrations: Object.fromEntries(released) });
  const { manifest: { name, tables }, migrations = {} } = nsNode;
  await migrate(engine, { owner: name, tables: new Set(tables), migrations });
  const session = (id: string, kind: string, nodeId: number, holder: string) =>
    `insert into kernel_node_sessions values ('${id}', '${kind}', ${nodeId}, 'instance ${holder}', ${start - 60_000})`;
  const lease = (name: string, expiresAt: number, dueAt: number) =>
    `insert into kernel_leases (name, holder, expiresAt, dueAt) values ('${name}', 'a', ${expiresAt}, ${dueAt})`;
  await makeSchema(
    engine,
    ...[1, 2, 3].map((id) =>
      `insert into nsNodes (nsClusterId, name, uniqueId, secret, isActive, createdAt)
       values (1, 'ns${id}', 'u${id}', '', 1, 0)`
    ),
    session("s1", "ns_node", 1, "a"),
    session("s2", "ns_node", 1, "b"),
    session("s3", "ns_node", 2, "a"),
    session("s4", "doors", 3, "b"),
    lease("instance a", start + 5000, 0),
    lease("instance b", start - 5000, 0),
    lease("kernel.prune", start + 5000, start + 60_000),
    lease("kernel.sweep_node_streams", start + 5000, start + 5000),
    `insert into kernel_node_commands (sessionId, holder, code, dataJSON, expiresAt)
     values ('s1', 'instance a', 'check', x'7b7d', ${start + 5000})`,
  );
  return engine;
}

const read = (engine: StorageEngine, sql: string) => engine.migrate((session) => rowsOf(session, sql));

/** A kind of node that records which nodes have been disconnected. */
function doors(disconnected: bigint[]): Plugin {
  return definePlugin({
    manifest: { name: "doors", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    requires: { streams: NodeStreams },
    setup({ deps: { streams } }) {
      streams.of({
        name: "doors",
        connected: () => Promise.resolve(),
        disconnected: (_call, id) => Promise.resolve(void disconnected.push(id)),
      });
    },
  });
}

describe.each(ENGINES)("after the upgrade of $name on which nodes were connected", (kind) => {
  test("the nodes are marked as disconnected, each once", async () => {
    const engine = await openOldDatabase(kind);
    const disconnected: bigint[] = [];
    const plugins = [nodeBase, nsCluster, nsNode, doors(disconnected)];
    await using edgehelm = await testKernel({ plugins, engine, clock: new TestClock(start) });
    expect(await read(engine, "select isActive from nsNodes")).toEqual([[1n], [1n], [1n]]);
    await edgehelm.kernel.runJob("node_base.sweep_streams");
    expect(await read(engine, "select id, isActive from nsNodes order by id")).toEqual([[1n, 0n], [2n, 0n], [3n, 1n]]);
    expect(disconnected).toEqual([3n]);
    for (const table of plugins[0]!.manifest.tables) expect(await read(engine, `select * from ${table}`)).toEqual([]);
    expect(await read(engine, JOBS)).toEqual([["kernel.prune"], ["node_base.sweep_streams"]]);
  });

  test("a node that has reconnected stays connected", async () => {
    const engine = await openOldDatabase(kind);
    const plugins = [nodeBase, nsCluster, nsNode];
    await using edgehelm = await testKernel({ plugins, engine, clock: new TestClock(start) });
    await makeSchema(
      engine,
      `insert into nodeStreamSessions values ('new', 'ns_node', 2, 'new', ${start})`,
      `insert into nodeStreamInstances values ('new', ${start + 10_000})`,
    );
    await edgehelm.kernel.runJob("node_base.sweep_streams");
    expect(await read(engine, "select id, isActive from nsNodes order by id")).toEqual([[1n, 0n], [2n, 1n], [3n, 1n]]);
  });

  test("the tables are those of a new installation", async () => {
    const [old, fresh] = [await openOldDatabase(kind), await kind.open()];
    await using _old = await testKernel({ plugins: [nodeBase], engine: old });
    await using _fresh = await testKernel({ plugins: [nodeBase], engine: fresh });
    const schema = await read(fresh, SCHEMA);
    expect(schema.length).toBeGreaterThan(7);
    const normalised = (rows: typeof schema) => rows.map((row) => row.map((text) => String(text).replace(/\s+/g, " ")));
    expect(normalised(await read(old, SCHEMA))).toEqual(normalised(schema));
  });

  test("a plugin that is enabled later gets the sessions", async () => {
    const engine = await openOldDatabase(kind);
    const { migrations, tables } = KERNEL_MIGRATIONS;
    await migrate(engine, { owner: "kernel", tables, migrations });
    const disconnected: bigint[] = [];
    const plugins = [nodeBase, doors(disconnected)];
    await using edgehelm = await testKernel({ plugins, engine, clock: new TestClock(start) });
    await edgehelm.kernel.runJob("node_base.sweep_streams");
    expect(disconnected).toEqual([3n]);
    expect(await read(engine, "select id from nodeStreamSessions order by id")).toEqual([["s1"], ["s2"], ["s3"]]);
  });
});

test("a new installation without the plugin has no tables of it", async () => {
  await using edgehelm = await testKernel({ plugins: [] });
  expect(await read(edgehelm.engine, SCHEMA)).toEqual([]);
});
