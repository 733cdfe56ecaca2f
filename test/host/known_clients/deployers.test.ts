import { afterAll, beforeAll, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";
import { pluginFolders } from "../../matrix/plugins.ts";
import { certificateFile } from "../../plugins/ssl_cert/certificates.ts";
import { KnownClient } from "../known_client.ts";

const CERTIFICATES = "SSLCertService";
const pem = (name: string) => btoa(new TextDecoder("latin1").decode(certificateFile(name)));
const files = { certData: pem("p256.pem"), keyData: pem("p256_pkcs8.key") };

let installation: Record<string, string>;
let server: Server;
let admin: KnownClient;
let user: KnownClient;
let userId: number;
beforeAll(async () => {
  installation = await installationDirectory(pluginFolders);
  server = await Server.start({ ...installation, ...CHOSEN_KEY });
  admin = await new KnownClient(server.url, "X-Edge-Access-Token").login();
  ({ userId } = await admin.data("UserService/createUser", { username: "ada", password: "walks in the rain" }));
  await admin.data("UserAccessKeyService/createUserAccessKey", { userId });
  const { userAccessKeys: [key] } = await admin.data("UserAccessKeyService/findAllEnabledUserAccessKeys", { userId });
  const login = { type: "user", accessKeyId: key.uniqueId, accessKey: key.secret };
  user = await new KnownClient(server.url, "X-Cloud-Access-Token").login(login);
});
afterAll(async () => {
  server.kill();
  await server.ended;
  await removeInstallation(installation);
});

/** Returns the certificates that a deployer finds for its domains. */
async function certificates(client: KnownClient, request: object) {
  return JSON.parse(atob((await client.data(`${CERTIFICATES}/listSSLCerts`, request)).sslCertsJSON));
}

test("a script of a web panel renews the certificate of a customer that it finds by user, keyword and domains", async () => {
  const domains = ["panel.test", "*.panel.test"];
  const fields = { ...files, userId, isOn: true, name: "uploaded by the panel", isCA: false, description: domains[0] };
  const times = { timeBeginAt: 1_700_000_000, timeEndAt: 1_800_000_000 };
  const request = { ...fields, ...times, serverName: domains[0], dnsNames: domains, commonNames: ["ca"] };
  const search = { userId, isCA: false, keyword: fields.name, domains, size: 1 };
  expect(await certificates(admin, search)).toEqual([]);
  const { sslCertId } = await admin.data(`${CERTIFICATES}/createSSLCert`, request);
  // the certificate of this test is for other domains
  const [found] = await certificates(admin, { ...search, domains: [] });
  expect(found).toMatchObject({ id: sslCertId, name: fields.name, serverName: "panel.test", keyData: "" });
  await admin.data(`${CERTIFICATES}/updateSSLCert`, { ...request, sslCertId });
});

test("an action of a build reads name and description of a certificate, and replaces only its files", async () => {
  const { sslCertId } = await user.data(`${CERTIFICATES}/createSSLCert`, {
    ...files,
    name: "shop",
    description: "mine",
  });
  const read = async () =>
    JSON.parse(atob((await user.data(`${CERTIFICATES}/findEnabledSSLCertConfig`, { sslCertId })).sslCertJSON));
  const { name, description, isCA } = await read();
  const parts = { name, description, isCA, serverName: "shop.test", commonNames: ["a", "b"], dnsNames: ["shop.test"] };
  const times = { timeBeginAt: 1_700_000_000, timeEndAt: 1_800_000_000 };
  await user.data(`${CERTIFICATES}/updateSSLCert`, { sslCertId, isOn: true, ...files, ...parts, ...times });
  expect(await read()).toMatchObject({ name: "shop", description: "mine", isOn: true });
});

test("a driver of an avatar service finds its site without a body, and sums its requests of some days", async () => {
  const { nodeClusterId } = await admin.data("NodeClusterService/createNodeCluster", { name: "sites" });
  const { serverId } = await user.data("ServerService/createServer", {
    ...{ type: "httpProxy", name: "avatar.test", nodeClusterId },
  });
  const { servers } = await user.data("ServerService/findAllUserServers");
  expect(servers).toMatchObject([{ id: serverId, isOn: true, name: "avatar.test", firstServerName: "" }]);
  const days = { serverId, dayFrom: "20260101", dayTo: "20260131" };
  const { serverDailyStat } = await user.data("ServerDailyStatService/sumServerDailyStats", days);
  expect(serverDailyStat).toMatchObject({ serverId, bytes: 0, cachedBytes: 0, countRequests: 0 });
});

test("a console for DNS turns a record off and on with all its fields, and lists lines with empty requests", async () => {
  const { nsClusterId } = await admin.data("NSClusterService/createNSCluster", { name: "dns" });
  expect((await user.data("NSClusterService/findNSCluster", { nsClusterId })).nsCluster).toMatchObject({ name: "dns" });
  const { nsDomainId } = await user.data("NSDomainService/createNSDomain", { nsClusterId, name: "lines.test" });
  const record = { name: "www", type: "A", value: "192.0.2.1", ttl: 600, nsRouteCodes: ["default"], weight: 0 };
  const more = { mxPriority: 0, description: "" };
  const { nsRecordId } = await user.data("NSRecordService/createNSRecord", { nsDomainId, ...record, ...more });
  for (const isOn of [false, true]) {
    await user.data("NSRecordService/updateNSRecord", { nsRecordId, isOn, ...record, ...more });
    expect((await user.data("NSRecordService/findNSRecord", { nsRecordId })).nsRecord).toMatchObject({
      isOn,
      name: "www",
    });
  }
  const filter = { nsDomainId, offset: 0, size: 20, nsRouteCode: "default" };
  expect((await user.data("NSRecordService/listNSRecords", filter)).nsRecords).toMatchObject([{ id: nsRecordId }]);
  const kinds = ["DefaultWorldRegionRoutes", "DefaultChinaProvinceRoutes", "DefaultISPRoutes", "AgentNSRoutes"];
  for (const kind of kinds) {
    const { nsRoutes } = await user.data(`NSRouteService/findAll${kind}`, {});
    expect({ kind, isFilled: nsRoutes.length > 0 }).toEqual({ kind, isFilled: true });
  }
});
