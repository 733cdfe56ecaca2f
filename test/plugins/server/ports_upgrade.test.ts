import { type Call, definePlugin } from "edgehelm";
import type { Query } from "edgehelm/storage";
import { testKernel } from "edgehelm/testing";
import { type Selectable, sql } from "kysely";
import { expect, test } from "vitest";
import plugin from "../../../plugins/server/plugin.ts";
import { serverList, type Tables } from "../../../plugins/server/store.ts";

const listen = (minPort: number, maxPort = minPort) => JSON.stringify({ isOn: true, listen: [{ minPort, maxPort }] });

/** Live and deleted servers of a version that did not record ports. */
const SERVERS = [
  { id: 1, state: 1, httpJSON: listen(80), httpsJSON: listen(443), tcpJSON: "", udpJSON: "" },
  { id: 2, state: 1, httpJSON: listen(8080), httpsJSON: "", tcpJSON: "", udpJSON: "" },
  { id: 3, state: 1, httpJSON: "", httpsJSON: "", tcpJSON: listen(20, 30), udpJSON: '{"isOn":true}' },
  { id: 4, state: 0, httpJSON: "", httpsJSON: "", tcpJSON: listen(40), udpJSON: "" },
  { id: 5, state: 1, httpJSON: "", httpsJSON: "", tcpJSON: "", udpJSON: listen(53) },
];

test("ports of existing servers are recorded, and follow later changes", async () => {
  const { manifest: { tables }, migrations = {} } = plugin;
  const manifest = { name: "server", version: "1.0.0", kernel: "^1", services: [], tables };
  const before = definePlugin({
    manifest,
    lists: [serverList],
    migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0010")),
    setup({ db, every }) {
      const run = (call: Call) =>
        call.transact(async (inner) => {
          await sql`
            insert into servers (id, state, httpJSON, httpsJSON, tcpJSON, udpJSON, userId, nodeClusterId, userPlanId,
              family, searchText, version, type, name, description, countServerNames, firstServerName, createdAt,
              serverNamesJSON, tlsJSON, reverseProxyJSON, includeNodesJSON, excludeNodesJSON)
            select value ->> 'id', value ->> 'state', cast(value ->> 'httpJSON' as blob),
              cast(value ->> 'httpsJSON' as blob), cast(value ->> 'tcpJSON' as blob), cast(value ->> 'udpJSON' as blob),
              1, 2, 0, 'http', '', 1, 'httpProxy', 'name', '', 0, '', 1, x'', x'', x'', x'', x''
            from json_each(${JSON.stringify(SERVERS)})`.execute(db<Tables>()(inner));
        });
      every({ name: "fill", everySeconds: 86_400, run });
    },
  });
  await using old = await testKernel({ plugins: [before] });
  await old.kernel.runJob("server.fill");
  await old.stop();

  let ports!: Query<object, Selectable<Tables["serverPorts"]>>;
  let move!: Query<object, unknown>;
  const after = definePlugin({
    manifest,
    lists: [serverList],
    migrations,
    setup({ db }) {
      ports = db<Tables>().query((q) => q.selectFrom("serverPorts").selectAll().orderBy("serverId"));
      move = db<Tables>().query((q) => q.updateTable("servers").set({ nodeClusterId: 3n }).where("id", "=", 5n));
    },
  });
  const edgehelm = await testKernel({ plugins: [after], directory: old.directory });
  const call = edgehelm.kernel.systemCall("test");
  const recorded = async () =>
    (await ports.all(call, {})).map((row) =>
      `${row.serverId}: ${row.nodeClusterId} ${row.protocol} ${row.transport} ${row.minPort}-${row.maxPort}`
    );
  expect(await recorded()).toEqual(["2: 2 http tcp 8080-8080", "3: 2 tcp tcp 20-30", "5: 2 udp udp 53-53"]);
  await call.transact(async (inner) => void await move.run(inner, {}));
  expect(await recorded()).toEqual(["2: 2 http tcp 8080-8080", "3: 2 tcp tcp 20-30", "5: 3 udp udp 53-53"]);
  await edgehelm.stop();
});
