import { jsonField } from "../json_fields.ts";
import type { MissingWorld } from "./world.ts";

type Values = Readonly<Record<string, unknown>>;

const PASSWORD = "heidi sings in the rain";
const MONTHLY = { priceType: "period" };
const CACHE_REF = { isOn: true, key: "${requestURI}", life: { count: 1, unit: "day" }, status: [200] };
const SET = {
  name: "any",
  actions: [{ code: "block" }],
  rules: [{ param: "${requestPath}", operator: "prefix", value: "/x" }],
};
const RANGE = { type: "region", params: { regions: [{ id: 1, type: "country", name: "x" }] } };
const LOG = { role: "node", level: "error", tag: "json", description: "d" };
const STATUS = { statusJSON: jsonField([{ buildVersion: "1.2.3" }]) };
const RESULT = { type: "ipAddr", targetId: 1n, targetDesc: "x", level: "normal" };
const INBOUND = { inboundJSON: jsonField([{ isOn: true }]), outboundJSON: jsonField([{ isOn: true }]) };

function site(type: string) {
  return ({ ada, objects }: MissingWorld): Values => ({
    type,
    userId: ada.id,
    userPlanId: 0n,
    webId: 0n,
    adminId: 0n,
    nodeClusterId: Object.assign({}, ...objects)["nodeClusterId"],
  });
}

/** The owner of the domains, whose names are in the requests. */
function ofAda({ ada }: MissingWorld): Values {
  return { userId: ada.id };
}

/** The values without which an operation refuses a request for other reasons, by its name or that of one of its fields. */
export const VALUES: Readonly<Record<string, Values | ((world: MissingWorld) => Values)>> = {
  updateMessageReceivers: { role: "node" },
  findAllEnabledMessageReceivers: { role: "node" },
  countAllEnabledMessageReceivers: { role: "node" },
  updateAdmin: { username: "heidi", password: PASSWORD, fullname: "Heidi" },
  "findEnabledLogin.adminId": { type: "otp", userId: 0n },
  "findEnabledLogin.userId": { type: "otp", adminId: 0n },
  "updateLogin.login": { login: { type: "otp" } },
  updateAdminLogin: { username: "heidi", password: PASSWORD },
  createFileChunk: { data: new Uint8Array([1]) },
  updateFormalClientBrowser: { codes: ["x"], dataId: "x" },
  createNodeGrant: { method: "user", username: "root", password: PASSWORD },
  updateNodeGrant: { method: "user", username: "root", password: PASSWORD },
  testNodeGrant: { host: "192.0.2.1", port: 22 },
  updateNodeClusterSystemService: { type: "systemd" },
  updateNodeIPAddress: { ip: "192.0.2.18" },
  updateNodeStatus: STATUS,
  updateNSNodeStatus: STATUS,
  "createMessageTask.messageMediaInstanceId": { messageRecipientId: 0n, user: "x" },
  "updateNSRecordsWithDomainNames.newNSRouteCodes": { searchName: "other", searchNSRouteCodes: [], newValue: "" },
  createMessageTask: { subject: "x", body: "x" },
  createUser: { username: "ivan", password: PASSWORD, fullname: "Heidi" },
  updateUser: (world) => ({ ...ofAda(world), username: "heidi", password: PASSWORD, fullname: "Heidi" }),
  updateUserLogin: { username: "heidi", password: PASSWORD },
  createNodeLogs: { nodeLogs: [LOG] },
  updateNodeLogsRead: { role: "node" },
  sendCommandToNSNode: { code: "connectedAPINode", requestId: 0n, timeoutSeconds: 1 },
  sendCommandToNode: { code: "connectedAPINode", requestId: 0n, timeoutSeconds: 1 },
  findNodeInstallation: { role: "dns" },
  cancelNodeInstallation: { role: "dns" },
  createNodePackage: { sha256: "0".repeat(64) },
  createNSDomain: { name: "missing.example.org" },
  createNSDomains: { names: ["missing.example.org"] },
  deleteNSDomains: ofAda,
  createNSRecordsWithDomainNames: ofAda,
  updateNSRecordsWithDomainNames: ofAda,
  deleteNSRecordsWithDomainNames: ofAda,
  updateNSRecordsIsOnWithDomainNames: ofAda,
  importNSRecords: ofAda,
  findVerifiedNSDomainOnCluster: { name: "missing.example.org" },
  createServer: site("httpProxy"),
  "createServer.tcpJSON": site("tcpProxy"),
  "createServer.tlsJSON": site("tcpProxy"),
  "createServer.udpJSON": site("udpProxy"),
  "updateServerTCP.tcpJSON": ({ tcpServerId }) => ({ serverId: tcpServerId }),
  "updateServerTLS.tlsJSON": ({ tcpServerId }) => ({ serverId: tcpServerId }),
  "updateServerUDP.udpJSON": ({ udpServerId }) => ({ serverId: udpServerId }),
  countAllServerNamesWithUserId: ofAda,
  countAllUserServers: ofAda,
  createHTTPAccessLogs: { httpAccessLogs: [{ requestId: "1735689600000777771000001", timestamp: 1_735_689_600n }] },
  updateHTTPCachePolicyRefs: { refsJSON: jsonField([[CACHE_REF]]) },
  createOrUpdateHTTPFirewallRuleSetFromConfig: { firewallRuleSetConfigJSON: jsonField([SET]) },
  addHTTPFirewallRuleGroupSet: { firewallRuleSetConfigJSON: jsonField([SET]) },
  updateHTTPFirewallPolicyGroups: INBOUND,
  updateHTTPFirewallInboundConfig: INBOUND,
  createMessageMediaInstance: { mediaType: "telegram", paramsJSON: jsonField([{ token: "t" }]) },
  updateMessageMediaInstance: { mediaType: "telegram", paramsJSON: jsonField([{ token: "t" }]) },
  createNSKey: { algo: "hmac-sha256.", secret: "c2VjcmV0", secretType: "base64", nsZoneId: 0n },
  createNSRoute: { rangesJSON: jsonField([[RANGE]]), nsClusterId: 0n, nsDomainId: 0n, userId: 0n },
  updateNSRoute: { rangesJSON: jsonField([[RANGE]]) },
  updateUserAccount: { eventType: "charge", delta: 1 },
  createPlan: MONTHLY,
  updatePlan: MONTHLY,
  updateReportResults: { reportResults: [RESULT] },
  findAllReportResults: { type: "ipAddr" },
  findReportResultRegions: { type: "ipAddr" },
  createReverseProxy: { primaryOriginsJSON: new Uint8Array(), backupOriginsJSON: new Uint8Array() },
  createUserAccessKey: { adminId: 0n },
  buyUserPlan: ofAda,
  createUserTrafficPackage: ofAda,
  buyUserTrafficPackage: ofAda,
  createUserInvoice: { dayFrom: "2026-01-01", dayTo: "2026-01-31" },
};
