import { definePlugin, type Plugin } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import nsKey from "../../../plugins/ns_key/plugin.ts";
import { keyFeed } from "../../../plugins/ns_key/store.ts";
import nsRecord from "../../../plugins/ns_record/plugin.ts";
import { recordFeed } from "../../../plugins/ns_record/store.ts";
import nsRoute from "../../../plugins/ns_route/plugin.ts";
import { routeFeed } from "../../../plugins/ns_route/store.ts";

type AnyTables = Record<string, { id: bigint; version: bigint }>;

const RECORD = "description, name, type, value, ttl, weight, mxPriority, srvPriority, srvWeight, srvPort, caaFlag, " +
  "caaTag, routeCodes, createdAt";

/** Each plugin with the columns and values of a row, besides its cluster and version. */
const FEEDS = [
  { plugin: nsKey, feed: keyFeed, table: "nsKeys", columns: "nsDomainId, name, algo, secret, secretPlace, secretType" },
  { plugin: nsRecord, feed: recordFeed, table: "nsRecords", columns: `nsDomainId, ${RECORD}` },
  {
    plugin: nsRoute,
    feed: routeFeed,
    table: "nsRoutes",
    columns: 'nsDomainId, userId, name, rangesJSON, isPublic, priority, "order"',
  },
];

test.each(FEEDS)("the feed of $table continues with the versions of the version before", async (tested) => {
  const { plugin, table, columns } = tested;
  const feed = tested.feed as typeof routeFeed;
  const { manifest: { tables, name: owner }, migrations = {} } = plugin;
  const manifest = { name: owner, version: "1.0.0", kernel: "^1", services: [], tables };
  const insert = (id: number, version: number) => async (db: Kysely<AnyTables>) => {
    const names = columns.split(", ");
    const values = names.map((column) =>
      /JSON/.test(column)
        ? "x''"
        : /^(name|type|value|algo|secret|desc|caaTag|route)/.test(column)
        ? `'${id}'`
        : String(id)
    );
    await sql.raw(`insert into ${table} (id, nsClusterId, version, ${columns})
      values (${id}, 4, ${version}, ${values.join()})`).execute(db);
  };
  const before: Plugin = definePlugin({
    manifest,
    migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0002")),
    setup({ db, every }) {
      const run = (call: Parameters<Parameters<typeof every>[0]["run"]>[0]) =>
        call.transact(async (inner) => {
          const tables = db<AnyTables>()(inner);
          await insert(1, 3)(tables);
          await insert(2, 9)(tables);
          await sql.raw(`update ${table.slice(0, -1)}Versions set version = 12 where id = 1`).execute(tables);
        });
      every({ name: "fill", everySeconds: 86_400, run });
    },
  });
  await using old = await testKernel({ plugins: [before] });
  await old.kernel.runJob(`${owner}.fill`);
  await old.stop();

  let rows!: ReturnType<typeof feed.open<{ nsRoutes: AnyTables[string] }>>;
  let tablesOf!: (call: ReturnType<typeof edgehelm.kernel.systemCall>) => Kysely<AnyTables>;
  const after = definePlugin({
    manifest,
    feeds: plugin.feeds ?? [],
    migrations,
    setup({ db }) {
      rows = feed.open(db<{ nsRoutes: AnyTables[string] }>());
      tablesOf = db<AnyTables>();
    },
  });
  const edgehelm = await testKernel({ plugins: [after], directory: old.directory });
  const call = edgehelm.kernel.systemCall("test");
  const scope = plugin === nsRoute ? 0n : 4n;
  const versions = async () =>
    (await rows.after(call, { scope, version: 0n, size: 10n })).map(({ version }) => version);
  expect(await versions()).toEqual([3n, 9n]);
  expect([await rows.latest(call, 0n), await rows.latest(call, scope)]).toEqual([12n, plugin === nsRoute ? 12n : 9n]);
  await call.transact(async (inner) => {
    await tablesOf(inner).updateTable(table).set({ version: rows.nextVersion }).where("id", "=", 1n).execute();
    await rows.advance(inner, 1);
  });
  expect(await versions()).toEqual([9n, 13n]);
  await edgehelm.stop();
});
