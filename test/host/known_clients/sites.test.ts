import { afterAll, beforeAll, expect, test } from "vitest";
import { pluginFolders } from "../../matrix/plugins.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";
import { KnownClient } from "../known_client.ts";

let installation: Record<string, string>;
let server: Server;
beforeAll(async () => {
  installation = await installationDirectory(pluginFolders);
  server = await Server.start({ ...installation, ...CHOSEN_KEY });
});
afterAll(async () => {
  server.kill();
  await server.ended;
  await removeInstallation(installation);
});

test("panels that create sites: origin and proxy as admin first, then the site, which its user configures", async () => {
  const panel = await new KnownClient(server.url, "X-Edge-Access-Token").login();
  const { userId } = await panel.data("UserService/createUser", { username: "site1", password: "walks in the rain" });
  const { nodeClusterId } = await panel.data("NodeClusterService/createNodeCluster", { name: "sites" });
  const addr = { protocol: "http", host: "192.0.2.7", portRange: "80" };
  const { originId } = await panel.data("OriginService/createOrigin", { name: "o", addr, isOn: true, weight: 10 });
  const { reverseProxyId } = await panel.data("ReverseProxyService/createReverseProxy", {
    primaryOriginsJSON: btoa(JSON.stringify([{ isOn: true, originId }])),
  });
  const reverseProxyJSON = btoa(JSON.stringify({ isOn: true, reverseProxyId }));
  const site = { userId, nodeClusterId, type: "httpProxy", name: "shop", reverseProxyJSON };
  const { serverId } = await panel.data("ServerService/createServer", site);
  await panel.data("ReverseProxyService/updateReverseProxyScheduling", {
    ...{ reverseProxyId, schedulingJSON: btoa('{"code": "roundRobin"}') },
  });
  await panel.data("UserAccessKeyService/createUserAccessKey", { userId });
  const { userAccessKeys: [key] } = await panel.data("UserAccessKeyService/findAllEnabledUserAccessKeys", { userId });
  const login = { type: "user", accessKeyId: key.uniqueId, accessKey: key.secret };
  const user = await new KnownClient(server.url, "X-Edge-Access-Token").login(login);
  await user.data("OriginService/updateOrigin", { originId, addr: { ...addr, host: "192.0.2.8" }, isOn: true });
  const { serverJSON } = await user.data("ServerService/findEnabledServerConfig", { serverId });
  expect(JSON.parse(atob(serverJSON)).reverseProxy).toMatchObject({
    ...{ id: reverseProxyId, scheduling: { code: "roundRobin" }, primaryOrigins: [{ addr: { host: "192.0.2.8" } }] },
  });
});
