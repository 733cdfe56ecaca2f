import { definePlugin, type Plugin } from "edgehelm";
import { as, type TestCaller, type TestKernel, testKernel } from "edgehelm/testing";
import { ACMETaskService } from "../../../plugins/acme_task/proto/service_acme_task_pb.ts";
import { ACMEUserService } from "../../../plugins/acme_user/proto/service_acme_user_pb.ts";
import { FileService } from "../../../plugins/file/proto/service_file_pb.ts";
import { HTTPFirewallPolicyService } from "../../../plugins/http_firewall_policy/proto/service_http_firewall_policy_pb.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { OriginService } from "../../../plugins/origin/proto/service_origin_pb.ts";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { ReverseProxyService } from "../../../plugins/reverse_proxy/proto/service_reverse_proxy_pb.ts";
import { ServerService } from "../../../plugins/server/proto/service_server_pb.ts";
import { SSLCertService } from "../../../plugins/ssl_cert/proto/service_ssl_cert_pb.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { UserQuotaDeclarations } from "../../../plugins/user_quota/contract.ts";
import { NodeRegionService } from "../../../plugins/node_region/proto/service_node_region_pb.ts";
import { TrafficPackageService } from "../../../plugins/traffic_package/proto/service_traffic_package_pb.ts";
import { TrafficPackagePeriodService } from "../../../plugins/traffic_package_period/proto/service_traffic_package_period_pb.ts";
import { TrafficPackagePriceService } from "../../../plugins/traffic_package_price/proto/service_traffic_package_price_pb.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import { UserTrafficPackageService } from "../../../plugins/user_traffic_package/proto/service_user_traffic_package_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { withoutProviders } from "../../harness/acme_connections.ts";
import { firstParty } from "../../matrix/plugins.ts";
import { hosts } from "../../matrix/world.ts";
import { certificateFile } from "../ssl_cert/certificates.ts";

export const admin = as.admin();
const [certData, keyData] = [certificateFile("p256.pem"), certificateFile("p256_pkcs8.key")];

/** The declared quotas by name. */
export const declared = new Map<string, bigint>();

const probe: Plugin = definePlugin({
  manifest: { name: "quota_probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup({ contributions, onStart }) {
    const quotas = contributions(UserQuotaDeclarations);
    onStart(() => {
      for (const { name, max } of quotas) declared.set(name, max);
    });
  },
});

/** Starts an installation with all plugins, two clusters and two users. */
export async function quotaKernel(limits: Readonly<Record<string, number>>): Promise<TestKernel> {
  const edgehelm = await testKernel({
    plugins: [...firstParty.map(withoutProviders), probe],
    hosts,
    config: { user_quota: { limits } },
  });
  await edgehelm.call(admin, NodeClusterService.method.createNodeCluster, { name: "edge" });
  await edgehelm.call(admin, NSClusterService.method.createNSCluster, { name: "dns" });
  for (const username of ["ada", "bob"]) {
    await edgehelm.call(admin, UserService.method.createUser, { username, password: "a long enough password" });
  }
  return edgehelm;
}

/** Creates a user plan for the user, from a free plan with the quotas. */
export async function buyPlan(edgehelm: TestKernel, userId: bigint, quotas: readonly object[]): Promise<bigint> {
  const quotasJSON = new TextEncoder().encode(JSON.stringify(quotas));
  const plan = { name: "free", priceType: "period", quotasJSON };
  const { planId } = await edgehelm.call(admin, PlanService.method.createPlan, plan);
  const purchase = { userId, planId, period: "monthly", countPeriod: 1 };
  return (await edgehelm.call(admin, UserPlanService.method.buyUserPlan, purchase)).userPlanId;
}

let onSale: TrafficPackageParts | undefined;

interface TrafficPackageParts {
  readonly trafficPackageId: bigint;
  readonly nodeRegionId: bigint;
  readonly trafficPackagePeriodId: bigint;
}

/** Puts a package of traffic on sale for 0.01, and gives user 1 the money for it. */
async function packageOnSale(edgehelm: TestKernel): Promise<TrafficPackageParts> {
  const { trafficPackageId } = await edgehelm.call(admin, TrafficPackageService.method.createTrafficPackage, {
    ...{ size: 1, unit: "gb" },
  });
  const { createTrafficPackagePeriod } = TrafficPackagePeriodService.method;
  const { trafficPackagePeriodId } = await edgehelm.call(admin, createTrafficPackagePeriod, {
    count: 1,
    unit: "month",
  });
  const { nodeRegionId } = await edgehelm.call(admin, NodeRegionService.method.createNodeRegion, { name: "Europe" });
  const made = { trafficPackageId, nodeRegionId, trafficPackagePeriodId };
  await edgehelm.call(admin, TrafficPackagePriceService.method.updateTrafficPackagePrice, { ...made, price: 0.01 });
  const charge = { userAccountId: 1n, delta: 100, eventType: "charge", description: "" };
  await edgehelm.call(admin, UserAccountService.method.updateUserAccount, charge);
  return made;
}

export type Create = (edgehelm: TestKernel, caller: TestCaller, index: number) => Promise<unknown>;

async function domainOf(edgehelm: TestKernel, userId: bigint, name: string): Promise<bigint> {
  const request = { name, userId, nsClusterId: 1n };
  return (await edgehelm.call(admin, NSDomainService.method.createNSDomain, request)).nsDomainId;
}

function createACMEUser(edgehelm: TestKernel, caller: TestCaller, index: number) {
  const request = { email: `tls${index}@example.com`, acmeProviderCode: "letsencrypt", userId: 1n };
  return edgehelm.call(caller, ACMEUserService.method.createACMEUser, request);
}

let account: bigint | undefined;
let secured: bigint | undefined;
let site: bigint | undefined;
let zone: bigint | undefined;

/** Creates one more object of each kind as the caller; admins create for user 1 where they can. */
export const CREATE: Readonly<Record<string, Create>> = {
  accessKeys: (edgehelm, caller) =>
    edgehelm.call(caller, UserAccessKeyService.method.createUserAccessKey, { userId: 1n }),
  certificates: (edgehelm, caller) =>
    edgehelm.call(caller, SSLCertService.method.createSSLCert, { userId: 1n, certData, keyData }),
  files: (edgehelm, caller) => edgehelm.call(caller, FileService.method.createFile, { filename: "a.txt" }),
  firewallPolicies: (edgehelm, caller) =>
    edgehelm.call(caller, HTTPFirewallPolicyService.method.createEmptyHTTPFirewallPolicy, { name: "policy" }),
  nsDomainGroups: (edgehelm, caller) =>
    edgehelm.call(caller, NSDomainGroupService.method.createNSDomainGroup, { name: "group" }),
  nsDomains: (edgehelm, caller, index) => {
    const request = { name: `d${index}.test`, nsClusterId: 1n, userId: 1n };
    return edgehelm.call(caller, NSDomainService.method.createNSDomain, request);
  },
  nsRecordsPerDomain: async (edgehelm, caller, index) => {
    zone ??= await domainOf(edgehelm, 1n, "records.test");
    const record = { nsDomainId: zone, name: `r${index}`, type: "A", value: "192.0.2.1", ttl: 600 };
    return await edgehelm.call(caller, NSRecordService.method.createNSRecord, record);
  },
  origins: (edgehelm, caller) => {
    const addr = { protocol: "http", host: "origin.example.com", portRange: "80" };
    return edgehelm.call(caller, OriginService.method.createOrigin, { addr });
  },
  reverseProxies: (edgehelm, caller) => edgehelm.call(caller, ReverseProxyService.method.createReverseProxy, {}),
  servers: (edgehelm, caller) =>
    edgehelm.call(caller, ServerService.method.createServer, { type: "httpProxy", nodeClusterId: 1n, userId: 1n }),
  serverNames: async (edgehelm, caller, index) => {
    const server = { type: "httpProxy", nodeClusterId: 1n, userId: 1n };
    site ??= (await edgehelm.call(admin, ServerService.method.createServer, server)).serverId;
    const names = Array.from({ length: index + 1 }, (_, at) => ({ name: `n${at}.example.com` }));
    const serverNamesJSON = new TextEncoder().encode(JSON.stringify(names));
    return await edgehelm.call(caller, ServerService.method.updateServerNames, { serverId: site, serverNamesJSON });
  },
  userPlans: async (edgehelm, caller) => {
    const { planId } = await edgehelm.call(admin, PlanService.method.createPlan, { name: "p", priceType: "period" });
    const request = { userId: 1n, planId, period: "monthly", countPeriod: 1 };
    return await edgehelm.call(caller, UserPlanService.method.buyUserPlan, request);
  },
  trafficPackages: async (edgehelm, caller) => {
    onSale ??= await packageOnSale(edgehelm);
    const { buyUserTrafficPackage } = UserTrafficPackageService.method;
    return await edgehelm.call(caller, buyUserTrafficPackage, { userId: 1n, ...onSale });
  },
  acmeUsers: createACMEUser,
  acmeTasks: async (edgehelm, caller) => {
    account ??= (await createACMEUser(edgehelm, admin, 3)).acmeUserId;
    secured ??= await domainOf(edgehelm, 1n, "tls.test");
    const task = { userId: 1n, acmeUserId: account, dnsDomain: "tls.test", domains: ["tls.test"], authType: "dns" };
    return await edgehelm.call(caller, ACMETaskService.method.createACMETask, task);
  },
};
