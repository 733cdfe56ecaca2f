import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonValue } from "@bufbuild/protobuf";
import type { Plugin } from "edgehelm";
import { as, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { vi } from "vitest";
import { ACMEAuthenticationService } from "../../../plugins/acme_authentication/proto/service_acme_authentication_pb.ts";
import { type ACMETask, ACMETaskService } from "../../../plugins/acme_task/proto/service_acme_task_pb.ts";
import { ACMEUserService } from "../../../plugins/acme_user/proto/service_acme_user_pb.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { ServerService } from "../../../plugins/server/proto/service_server_pb.ts";
import { firstParty } from "../../matrix/plugins.ts";
import { hosts, standIns } from "../../matrix/world.ts";
import { type DnsServer, startDns } from "../../servers/dns.ts";
import { type Pebble, type PebbleOptions, startPebble } from "../../servers/pebble.ts";

export const admin = as.admin();
export const rpc = ACMETaskService.method;

export interface RigOptions extends Pick<PebbleOptions, "bindings" | "rejectedNonces"> {
  /** Plugins that take the place of those with the same name. */
  readonly plugins?: readonly Plugin[];
  readonly config?: Readonly<Record<string, JsonValue>>;
}

/** An installation, a provider, and what responds to the questions of the provider: DNS, and the sites of a node. */
export interface Rig extends AsyncDisposable {
  readonly edgehelm: TestKernel;
  readonly clock: TestClock;
  readonly pebble: Pebble;
  readonly dns: DnsServer;
  /** The node that responds to the provider; undefined for none. */
  node: TestCaller | undefined;
}

export async function openRig({ plugins = [], config = {}, ...options }: RigOptions = {}): Promise<Rig> {
  const clock = new TestClock();
  const sites = createServer((request, response) => void answer(request.url ?? "").then((text) => response.end(text)));
  await new Promise<void>((resolve) => sites.listen(0, "127.0.0.1", resolve));
  const dns = await startDns(async ({ name, type }) => {
    if (type === "A") return [{ type: "A", name, data: "127.0.0.1", ttl: 1 }];
    return type === "TXT" ? (await texts(name)).map((data) => ({ type: "TXT" as const, name, data, ttl: 1 })) : [];
  });
  const { port } = sites.address() as AddressInfo;
  const pebble = await startPebble({ ...options, dnsServer: dns.address, httpPort: port });
  const replaced = new Set(plugins.map(({ manifest }) => manifest.name));
  const provider = {
    code: "pebble",
    apiURL: pebble.directoryUrl,
    requireEAB: options.bindings !== undefined,
    ca: pebble.ca,
  };
  const edgehelm = await testKernel({
    plugins: [...firstParty.filter(({ manifest }) => !replaced.has(manifest.name)), ...plugins],
    stubs: standIns(),
    hosts,
    clock,
    config: { acme_provider: { providers: [provider] }, acme_task: { dnsSeconds: 0 }, ...config },
    outbound: { allow: ["127.0.0.0/8"] },
  });
  const rig: Rig = {
    edgehelm,
    clock,
    pebble,
    dns,
    node: undefined,
    async [Symbol.asyncDispose]() {
      await edgehelm[Symbol.asyncDispose]();
      await pebble[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
      sites.closeAllConnections();
      await new Promise((resolve) => sites.close(resolve));
    },
  };

  /** The values of a TXT record, as the nodes of our clusters get them. */
  async function texts(name: string): Promise<string[]> {
    const feed = { version: 0n, size: 1000n };
    const { nsDomains } = await edgehelm.call(admin, NSDomainService.method.listNSDomainsAfterVersion, feed);
    const nameOf = new Map(nsDomains.map((domain) => [domain.id, domain.name]));
    const { nsRecords } = await edgehelm.call(admin, NSRecordService.method.listNSRecordsAfterVersion, feed);
    return nsRecords.filter((record) => record.type === "TXT" && record.isOn && !record.isDeleted)
      .filter((record) => `${record.name}.${nameOf.get(record.nsDomain!.id)}` === name).map(({ value }) => value);
  }

  async function answer(path: string): Promise<string> {
    const token = path.replace("/.well-known/acme-challenge/", "");
    if (rig.node === undefined) return "";
    const { findACMEAuthenticationKeyWithToken } = ACMEAuthenticationService.method;
    return (await edgehelm.call(rig.node, findACMEAuthenticationKeyWithToken, { token })).key;
  }

  return rig;
}

export async function createACMEUser({ edgehelm }: Rig, owner = admin): Promise<bigint> {
  const request = { email: "ada@example.com", acmeProviderCode: "pebble" };
  return (await edgehelm.call(owner, ACMEUserService.method.createACMEUser, request)).acmeUserId;
}

/** Creates a domain, which is verified because an admin creates it. */
export async function createDomain({ edgehelm }: Rig, name: string, userId = 0n): Promise<bigint> {
  const { nsClusterId } = await edgehelm.call(admin, NSClusterService.method.createNSCluster, { name: `of ${name}` });
  const request = { name, nsClusterId, userId };
  return (await edgehelm.call(admin, NSDomainService.method.createNSDomain, request)).nsDomainId;
}

/** Creates a site with names in a cluster of its own, and a node that serves it. */
export async function createSite({ edgehelm }: Rig, names: readonly string[], userId = 0n): Promise<TestCaller> {
  const cluster = { name: `of ${names[0]}` };
  const { nodeClusterId } = await edgehelm.call(admin, NodeClusterService.method.createNodeCluster, cluster);
  await edgehelm.call(admin, ServerService.method.createServer, {
    type: "httpProxy",
    name: names[0]!,
    userId,
    nodeClusterId,
    serverNamesJSON: new TextEncoder().encode(JSON.stringify(names.map((name) => ({ name })))),
  });
  const { nodeId } = await edgehelm.call(admin, NodeService.method.createNode, { name: "n1", nodeClusterId });
  return as.node(nodeId);
}

export async function createTask(rig: Rig, request: object, owner = admin): Promise<bigint> {
  const acmeUserId = await createACMEUser(rig, owner);
  return (await rig.edgehelm.call(owner, rpc.createACMETask, { acmeUserId, autoRenew: true, ...request })).acmeTaskId;
}

export async function findTask({ edgehelm }: Rig, acmeTaskId: bigint, caller = admin): Promise<ACMETask> {
  return (await edgehelm.call(caller, rpc.findEnabledACMETask, { acmeTaskId })).acmeTask!;
}

/** Runs the job, and lets time pass, until the task is as wanted. */
export async function runUntil(rig: Rig, acmeTaskId: bigint, isDone: (task: ACMETask) => boolean): Promise<ACMETask> {
  return await vi.waitFor(async () => {
    await rig.edgehelm.kernel.runJob("acme_task.orders");
    const task = await findTask(rig, acmeTaskId);
    if (isDone(task)) return task;
    rig.clock.advance(5);
    throw new Error(`step "${task.step}", ${task.latestACMETaskLog?.error ?? "no result"}`);
  }, { timeout: 120_000, interval: 50 });
}

/** The number of orders that the provider has. */
export function countOrders({ pebble }: Rig): number {
  return pebble.lines.filter((line) => /Added order /.test(line)).length;
}
