import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Server } from "../harness/server.ts";
import { fillMoney } from "./demo_money.ts";
import { fillMessages } from "./demo_messages.ts";
import { fillHealth } from "./demo_health.ts";
import { fillQueries } from "./demo_queries.ts";
import { policies } from "./demo_policies.ts";

/** The access key of the customer of {@link fillDemo}. */
export interface DemoCustomer {
  readonly id: string;
  readonly secret: string;
}

type Fields = Readonly<Record<string, unknown>>;
/** Calls an operation, and returns its data. */
// deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
export type Post = (path: string, request?: Fields) => Promise<any>;

const HOUR = 3600;
const MB = 1024 ** 2;

/** The settings of an installation that {@link fillDemo} can fill. */
export const DEMO_SETTINGS = { backup: { to: "backups" } };

/** Fills an empty installation with what a small provider has: nodes, customers, domains, sites, plans, logs. */
export async function fillDemo(server: Server): Promise<DemoCustomer> {
  const post = postOf((path, request) => server.post(path, request));
  const nodePost = async (type: string, { uniqueId, secret }: { uniqueId: string; secret: string }) => {
    const { data } = await server.post("/APIAccessTokenService/getAPIAccessToken", {
      type,
      accessKeyId: uniqueId,
      accessKey: secret,
    });
    return postOf((path, request) => server.postWith(data.token, path, request));
  };
  const { nsClusterId } = await post("NSClusterService/createNSCluster", {
    name: "Anycast",
    hosts: ["ns1.northwind-dns.example", "ns2.northwind-dns.example"],
    email: "hostmaster@northwind-dns.example",
  });
  await nameServers(post, nodePost, nsClusterId);
  const { nodeClusterId } = await post("NodeClusterService/createNodeCluster", { name: "Europe" });
  const users = await customers(post);
  await zones(post, nsClusterId, users);
  await fillQueries(post, nodePost);
  await fillHealth(post, nodePost);
  const planId = await plans(post, users, nodeClusterId);
  const sites = await siteList(post, users, nodeClusterId);
  await delivery(post, nodePost, nodeClusterId, sites, planId);
  await certificates(post, users);
  await policies(post);
  await people(post);
  await post("InstallationService/makeInstallationBackup", {});
  await post("InstallationService/checkInstallationBackup", { name: "" });
  await post("InstallationService/makeInstallationBackup", {});
  await fillMoney(post, nodePost, users, nodeClusterId);
  const { uniqueId, secret } = await post("UserAccessKeyService/createUserAccessKey", {
    userId: users[0]!.userId,
    description: "Deployments",
  });
  return { id: uniqueId, secret };
}

function postOf(
  send: (path: string, request: unknown) => Promise<{ code: number; message: string; data: unknown }>,
): Post {
  return async (path, request = {}) => {
    const { code, message, data } = await send(`/${path}`, request);
    if (code !== 200) throw new Error(`${path}: ${code} ${message}`);
    return data;
  };
}

/** Returns the calls of another caller, by an access key. */
export type NodePost = (type: string, key: { readonly uniqueId: string; readonly secret: string }) => Promise<Post>;

const LOCATIONS = ["fra-1", "ams-1", "sin-1", "nyc-1"] as const;

async function nameServers(post: Post, nodePost: NodePost, nodeClusterId: unknown): Promise<void> {
  for (const [index, location] of LOCATIONS.entries()) {
    const { nsNodeId } = await post("NSNodeService/createNSNode", { name: `dns-${location}`, nodeClusterId });
    // the last one was never started
    if (index === LOCATIONS.length - 1) continue;
    const { nsNode } = await post("NSNodeService/findNSNode", { nsNodeId });
    const node = await nodePost("dns", nsNode);
    await node("NSNodeService/updateNSNodeStatus", { statusJSON: status(`dns-${location}`, index) });
  }
}

function status(hostname: string, index: number): Fields {
  return {
    ...{ buildVersion: "1.4.2", os: "linux", arch: "amd64", hostname, hostIP: `192.0.2.${10 + index}` },
    ...{ cpuUsage: 0.12 + index * 0.2, cpuLogicalCount: 8, memoryUsage: 0.41, memoryTotal: 16 * 1024 * MB },
    ...{ diskUsage: 0.33, load1m: 0.6 + index, connectionCount: 120 * (index + 1) },
    updatedAt: Math.floor(Date.now() / 1000),
  };
}

const CUSTOMERS = [
  ["ada", "Ada Lovelace", "Analytical Engines Ltd"],
  ["grace", "Grace Hopper", "Harbour Compilers"],
  ["lin", "林巧稚", "Beijing Clinic"],
  ["alan", "Alan Turing", "Bombe Logistics"],
] as const;

/** A user of the demonstration. */
export interface Customer {
  readonly userId: number;
  readonly username: string;
}

async function customers(post: Post): Promise<Customer[]> {
  const made: Customer[] = [];
  for (const [username, fullname, remark] of CUSTOMERS) {
    const { userId } = await post("UserService/createUser", {
      ...{ username, fullname, remark, email: `${username}@example.org`, mobile: "+49 30 901820" },
      password: `${username} walks in the rain`,
    });
    made.push({ userId, username });
  }
  return made;
}

const DOMAINS = ["analytical.example", "engines.example", "harbour.example", "clinic.example", "bombe.example"];
const RECORDS = [
  ["@", "A", "203.0.113.10"],
  ["@", "AAAA", "2001:db8::10"],
  ["@", "MX", "mail.analytical.example."],
  ["@", "TXT", "v=spf1 include:_spf.example.net -all"],
  ["@", "CAA", "letsencrypt.org"],
  ["www", "CNAME", "edge.northwind-dns.example."],
  ["shop", "A", "203.0.113.24"],
  ["shop", "A", "203.0.113.25"],
  ["mail", "A", "203.0.113.40"],
  ["api", "CNAME", "edge.northwind-dns.example."],
] as const;

async function zones(post: Post, nsClusterId: unknown, users: readonly Customer[]): Promise<void> {
  for (const [index, name] of DOMAINS.entries()) {
    const { nsDomainId } = await post("NSDomainService/createNSDomain", {
      ...{ nsClusterId, name, userId: users[Math.max(0, index - 1) % users.length]!.userId },
    });
    for (const [host, type, value] of RECORDS) {
      await post("NSRecordService/createNSRecord", {
        ...{ nsDomainId, name: host, type, value, ttl: 600 },
        ...type === "MX" && { mxPriority: 10 },
        ...type === "CAA" && { caaFlag: 0, caaTag: "issue" },
      });
    }
  }
}

const PLANS = [["Starter", 9, 3], ["Business", 49, 20], ["Enterprise", 290, 200]] as const;

async function plans(post: Post, users: readonly Customer[], clusterId: unknown): Promise<unknown> {
  const ids: unknown[] = [];
  for (const [name, monthlyPrice, totalServers] of PLANS) {
    const { planId } = await post("PlanService/createPlan", {
      ...{ name, clusterId, priceType: "period", monthlyPrice, yearlyPrice: monthlyPrice * 10, totalServers },
      ...{ trafficLimitJSON: { isOn: true, monthlySize: { count: totalServers * 50, unit: "gb" } } },
      description: `Up to ${totalServers} sites`,
    });
    ids.push(planId);
  }
  for (const [index, { userId }] of users.entries()) {
    const { userAccount } = await post("UserAccountService/findEnabledUserAccountWithUserId", { userId });
    await post("UserAccountService/updateUserAccount", {
      ...{ userAccountId: userAccount.id, delta: 600, eventType: "charge", description: "Bank transfer" },
    });
    if (index === users.length - 1) continue;
    await post("UserPlanService/buyUserPlan", {
      ...{ userId, planId: ids[index % ids.length], period: "monthly", countMonths: 2, countPeriod: 2 },
    });
  }
  return ids[0];
}

interface Site {
  readonly serverId: number;
  readonly host: string;
}

async function siteList(post: Post, users: readonly Customer[], nodeClusterId: unknown): Promise<Site[]> {
  const sites: Site[] = [];
  for (const [index, host] of ["www.analytical.example", "shop.analytical.example", "harbour.example"].entries()) {
    const { originId } = await post("OriginService/createOrigin", {
      ...{
        addr: { protocol: "http", host: `198.51.100.${index + 1}`, portRange: "8080" },
        name: `origin ${index + 1}`,
      },
      isOn: true,
    });
    const { reverseProxyId } = await post("ReverseProxyService/createReverseProxy", {
      primaryOriginsJSON: [{ isOn: true, originId }],
    });
    const { serverId } = await post("ServerService/createServer", {
      ...{ userId: users[index < 2 ? 0 : 1]!.userId, type: "httpProxy", name: host.split(".")[0], nodeClusterId },
      serverNamesJSON: [{ name: host }],
      httpJSON: { isOn: true, listen: [{ protocol: "http", portRange: "80" }] },
      reverseProxyJSON: { isOn: true, reverseProxyId },
    });
    sites.push({ serverId, host });
  }
  return sites;
}

const PATHS = [["/", 200], ["/cart", 200], ["/assets/app.js", 304], ["/wp-login.php", 404], [
  "/api/orders",
  500,
]] as const;

async function delivery(
  post: Post,
  nodePost: NodePost,
  nodeClusterId: unknown,
  sites: readonly Site[],
  planId: unknown,
): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  for (const [index, location] of LOCATIONS.slice(0, 3).entries()) {
    const { nodeId } = await post("NodeService/createNode", { name: `edge-${location}`, nodeClusterId });
    const found = await post("NodeService/findEnabledNode", { nodeId });
    const node = await nodePost("node", found.node);
    await node("NodeService/updateNodeStatus", { statusJSON: status(`edge-${location}`, index) });
    if (index > 0) continue;
    await node("ServerDailyStatService/uploadServerDailyStats", {
      stats: Array.from({ length: 70 }, (_, hour) =>
        sites.map(({ serverId }, site) => ({
          ...{ serverId, createdAt: now - hour * HOUR, planId, checkTrafficLimiting: true },
          bytes: (40 + 30 * Math.sin(hour / 4 + site) + 5 * site) * 4 * MB | 0,
          cachedBytes: (30 + 20 * Math.sin(hour / 4 + site)) * 3 * MB | 0,
          ...{ countRequests: 5200 + 90 * (hour % 24), countCachedRequests: 4000, countIPs: 1800 },
        }))).flat(),
    });
    await node("HTTPAccessLogService/createHTTPAccessLogs", {
      httpAccessLogs: Array.from({ length: 120 }, (_, row) => {
        const [requestPath, status] = PATHS[row % PATHS.length]!;
        const { serverId, host } = sites[row % sites.length]!;
        const timestamp = now - row * 20;
        return {
          ...{ requestId: `${timestamp}${nodeId}${1_000_000 + row}`, serverId, nodeId, timestamp, status, host },
          ...{ requestPath, requestURI: requestPath, requestMethod: row % 7 === 0 ? "POST" : "GET", scheme: "https" },
          ...{ remoteAddr: `203.0.113.${row % 40}`, bytesSent: 900 + row * 37, requestTime: 0.012 + (row % 9) / 100 },
          userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
        };
      }),
    });
  }
}

async function certificates(post: Post, users: readonly Customer[]): Promise<void> {
  const data = async (name: string) =>
    (await readFile(fileURLToPath(new URL(`../fixtures/certificates/${name}`, import.meta.url)))).toString("base64");
  for (const [name, key] of [["rsa", "rsa_pkcs8"], ["expired", "expired"]] as const) {
    await post("SSLCertService/createSSLCert", {
      ...{ isOn: true, name: name === "rsa" ? "analytical.example" : "old.analytical.example" },
      ...{ userId: users[0]!.userId, certData: await data(`${name}.pem`), keyData: await data(`${key}.key`) },
    });
  }
}

async function people(post: Post): Promise<void> {
  const { adminId } = await post("AdminService/createAdmin", {
    ...{ username: "night.shift", password: "a night without alarms", fullname: "Night shift", canLogin: true },
    modulesJSON: [{ code: "ns" }, { code: "server" }, { code: "log" }],
  });
  await post("LogService/createLog", { level: "info", description: "Created the night shift", ip: "192.0.2.7" });
  await fillMessages(post, adminId);
}
