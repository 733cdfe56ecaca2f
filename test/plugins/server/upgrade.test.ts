import { type Call, definePlugin, rowCount } from "edgehelm";
import type { Query } from "edgehelm/storage";
import { testKernel } from "edgehelm/testing";
import { sql } from "kysely";
import { expect, test } from "vitest";
import plugin from "../../../plugins/server/plugin.ts";
import { type ServerList, serverList, type Tables } from "../../../plugins/server/store.ts";

const SERVERS = 3000;

function server(index: number) {
  return {
    id: index + 1,
    userId: index % 4,
    nodeClusterId: index % 3 + 1,
    userPlanId: index % 5 === 0 ? 9 : 0,
    family: ["http", "tcp"][index % 2]!,
    searchText: `${["shop", "blog"][index % 2]} ${index}`,
    state: index % 7 === 0 ? 0 : 1,
  };
}

test("servers of the version before the declared list have the same lists and counts", async () => {
  const { manifest: { tables }, migrations = {} } = plugin;
  const manifest = { name: "server", version: "1.0.0", kernel: "^1", services: [], tables };
  const before = definePlugin({
    manifest,
    migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0003")),
    setup({ db, every }) {
      const run = (call: Call) =>
        call.transact(async (inner) => {
          for (let from = 0; from < SERVERS; from += 500) {
            const rows = JSON.stringify(Array.from({ length: 500 }, (_, index) => server(from + index)));
            await sql`
              insert into servers (id, userId, nodeClusterId, userPlanId, family, searchText, state, version, type, name,
                description, countServerNames, firstServerName, createdAt, serverNamesJSON, httpJSON, httpsJSON, tcpJSON,
                tlsJSON, udpJSON, reverseProxyJSON, includeNodesJSON, excludeNodesJSON)
              select value ->> 'id', value ->> 'userId', value ->> 'nodeClusterId', value ->> 'userPlanId',
                value ->> 'family', value ->> 'searchText', value ->> 'state', 1, 'httpProxy', 'name', '', 0, '', 1,
                x'', x'', x'', x'', x'', x'', x'', x'', x'' from json_each(${rows})`.execute(db<Tables>()(inner));
          }
        });
      every({ name: "fill", everySeconds: 86_400, run });
    },
  });
  await using old = await testKernel({ plugins: [before] });
  await old.kernel.runJob("server.fill");
  await old.stop();

  let list!: ServerList;
  let reviews!: Query<object, { count: bigint }>;
  const setup = ({ db }: Parameters<typeof plugin.setup>[0]) => {
    list = serverList.open(db<Tables>());
    reviews = db<Tables>().query((q) => q.selectFrom("serverReviews").select(rowCount));
  };
  const after = definePlugin({ manifest, lists: [serverList], migrations, setup });
  const edgehelm = await testKernel({ plugins: [after], directory: old.directory });
  const call = edgehelm.kernel.systemCall("test");
  const live = Array.from({ length: SERVERS }, (_, index) => server(index)).filter(({ state }) => state === 1);
  const ofUsers = live.filter(({ userId }) => userId !== 0);
  expect(await reviews.one(call, {})).toEqual({ count: BigInt(ofUsers.length) });
  for (const userId of [0, 1]) {
    for (const nodeClusterId of [0, 2]) {
      for (const userPlanId of [0, 9]) {
        for (const family of ["", "tcp"]) {
          for (const keyword of ["", "BLOG", "op 12"]) {
            const filter = { userId, nodeClusterId, userPlanId, family, keyword };
            const ids = live.filter((row) =>
              (userId === 0 || row.userId === userId) && (nodeClusterId === 0 || row.nodeClusterId === nodeClusterId) &&
              (userPlanId === 0 || row.userPlanId === userPlanId) && (family === "" || row.family === family) &&
              row.searchText.includes(keyword.toLowerCase())
            ).map(({ id }) => BigInt(id)).reverse();
            const ofList = {
              ...filter,
              userId: BigInt(userId),
              nodeClusterId: BigInt(nodeClusterId),
              userPlanId: BigInt(userPlanId),
            };
            const offset = Math.max(0, ids.length - 4);
            const page = await list.page(call, ofList, { offset: BigInt(offset), size: 5n });
            expect({ filter, count: await list.count(call, ofList), ids: page.map(({ id }) => id) })
              .toEqual({ filter, count: BigInt(ids.length), ids: ids.slice(offset) });
          }
        }
      }
    }
  }
  await edgehelm.stop();
});
