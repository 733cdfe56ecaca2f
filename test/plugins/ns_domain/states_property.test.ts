import { definePlugin } from "edgehelm";
import { as, stub } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import keys from "../../../plugins/ns_key/plugin.ts";
import { NSKeyService } from "../../../plugins/ns_key/proto/service_ns_key_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import records from "../../../plugins/ns_record/plugin.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import routes from "../../../plugins/ns_route/plugin.ts";
import { NSRouteService } from "../../../plugins/ns_route/proto/service_ns_route_pb.ts";
import { UserStateListeners } from "../../../plugins/user/contract.ts";
import { CallError } from "../../harness/call_error.ts";
import { Random } from "../../harness/random.ts";
import { NodeView } from "./node_view.ts";
import { domainKernel } from "./rig.ts";

const domainRpc = NSDomainService.method;
const recordRpc = NSRecordService.method;
const admin = as.admin();
const nodes = stub(NSNodes, { followedCluster: async ({ caller }) => caller.role === "dns" ? caller.nodeId : 0n });
const OWNERS = [0n, 7n, 8n, 9n];
const CLUSTERS = [1n, 2n];
const NAMES = ["a.test", "b.test", "c.test"];
const STATUSES = ["none", "verified", "rejected", "forbidden"];
const STEPS = 400;
const RANGES = new TextEncoder().encode('[{"type": "cidr", "params": {"cidr": "192.0.2.0/24"}}]');
const SEEDS = [1, 2, 3, 4, 5];

/** A domain as the test set it. */
interface ModelDomain {
  readonly name: string;
  cluster: bigint;
  owner: bigint;
  isOn: boolean;
  status: string;
  readonly objects: Map<string, string>;
}

/** Opens an installation whose users' states the test sets. */
async function open() {
  const unserved = new Set<bigint>();
  let notify = (_userId: bigint): Promise<void> => Promise.resolve();
  const states = definePlugin({
    manifest: { name: "states", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    setup({ contributions, systemCall }) {
      const listeners = contributions(UserStateListeners);
      notify = (userId) =>
        systemCall("state").transact(async (call) => {
          for (const listener of listeners) await listener.changed(call, userId, "verified");
        });
    },
  });
  const edgehelm = await domainKernel({ plugins: [records, keys, routes, states], stubs: [nodes], unserved });
  const setServed = async (userId: bigint, isServed: boolean) => {
    if (isServed) unserved.delete(userId);
    else unserved.add(userId);
    await notify(userId);
  };
  return { edgehelm, unserved, setServed };
}

test.each(SEEDS)(
  "finding 5: after any changes a node answers for exactly what may be served (seed %i)",
  async (seed) => {
    const { edgehelm, unserved, setServed } = await open();
    await using _edgehelm = edgehelm;
    const random = new Random(seed);
    const model = new Map<bigint, ModelDomain>();
    const views = CLUSTERS.map((cluster) => ({ cluster, view: new NodeView(edgehelm, cluster) }));
    let refused = 0;

    const runJobs = async () => {
      for (const job of ["publish", "follow"]) await edgehelm.kernel.runJob(`ns_domain.${job}`);
    };
    const isServed = ({ owner, isOn, status }: ModelDomain) =>
      isOn && status === "verified" && !(owner !== 0n && unserved.has(owner));
    const servedOn = (cluster: bigint) =>
      [...model].filter(([, domain]) => domain.cluster === cluster && isServed(domain));
    const update = async ([nsDomainId, domain]: [bigint, ModelDomain], changes: Partial<ModelDomain>) => {
      const { cluster, owner, isOn } = { ...domain, ...changes };
      const request = { nsDomainId, nsClusterId: cluster, userId: owner, isOn };
      await edgehelm.call(admin, domainRpc.updateNSDomain, request);
      Object.assign(domain, changes);
    };

    const changes: readonly ((picked: [bigint, ModelDomain]) => Promise<unknown>)[] = [
      (picked) => update(picked, { isOn: random.below(3) > 0 }),
      (picked) => update(picked, { cluster: random.oneOf(CLUSTERS) }),
      (picked) => update(picked, { owner: random.oneOf(OWNERS) }),
      async ([nsDomainId, domain]) => {
        const status = random.below(2) === 0 ? "verified" : random.oneOf(STATUSES);
        await edgehelm.call(admin, domainRpc.updateNSDomainStatus, { nsDomainId, status });
        domain.status = status;
      },
      async ([nsDomainId]) => {
        if (random.below(3) > 0) return;
        await edgehelm.call(admin, domainRpc.deleteNSDomain, { nsDomainId });
        model.delete(nsDomainId);
      },
      async ([nsDomainId, domain]) => {
        const record = { nsDomainId, name: `www${random.below(50)}`, type: "A", value: "192.0.2.1" };
        const { nsRecordId } = await edgehelm.call(admin, recordRpc.createNSRecord, record);
        domain.objects.set(`record ${nsRecordId}`, `${record.name} A 192.0.2.1`);
      },
      async ([nsDomainId, domain]) => {
        const name = `k${random.below(50)}.test`;
        const request = { nsDomainId, name, algo: "hmac-sha256." };
        const { nsKeyId } = await edgehelm.call(admin, NSKeyService.method.createNSKey, request);
        domain.objects.set(`key ${nsKeyId}`, `key ${name}`);
      },
      async ([nsDomainId, domain]) => {
        const request = { nsDomainId, name: `r${random.below(50)}`, rangesJSON: RANGES };
        const { nsRouteId } = await edgehelm.call(admin, NSRouteService.method.createNSRoute, request);
        domain.objects.set(`route ${nsRouteId}`, `route ${request.name}`);
      },
      async ([, domain]) => {
        const key = [...domain.objects.keys()].find((one) => one.startsWith("record"));
        if (key === undefined) return;
        await edgehelm.call(admin, recordRpc.deleteNSRecord, { nsRecordId: BigInt(key.replace("record ", "")) });
        domain.objects.delete(key);
      },
    ];
    const create = async () => {
      const owner = random.oneOf(OWNERS);
      const [name, cluster] = [random.oneOf(NAMES), random.oneOf(CLUSTERS)];
      const caller = random.below(2) === 0 || owner === 0n ? admin : as.user(owner);
      const request = { name, nsClusterId: cluster, userId: owner };
      const { nsDomainId } = await edgehelm.call(caller, domainRpc.createNSDomain, request);
      const status = caller === admin ? "verified" : "none";
      model.set(nsDomainId, { name, cluster, owner, isOn: true, status, objects: new Map() });
    };

    for (let step = 0; step < STEPS; step++) {
      const picked = model.size === 0 ? undefined : random.oneOf([...model]);
      try {
        const kind = random.below(10);
        if (picked === undefined || kind === 0) await create();
        else if (kind === 1) await setServed(random.oneOf(OWNERS.slice(1)), random.below(2) === 0);
        else await random.oneOf(changes)(picked);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        refused++;
      }
      const isSettled = random.below(3) === 0;
      if (isSettled) await runJobs();
      for (const { cluster, view } of views) {
        if (random.below(3) > 0) continue;
        await view.poll(BigInt(1 + random.below(5)));
        const { domains, objects } = view.content;
        expect(domains, `step ${step}`).toEqual(servedOn(cluster).map(([id, { name }]) => `${id} ${name}`).sort());
        const served = objectsOf(servedOn(cluster));
        // Objects may arrive later than their domain, but none that may not be served.
        expect(served, `step ${step}`).toEqual(isSettled ? objects : expect.arrayContaining(objects));
      }
    }

    await runJobs();
    for (const { cluster, view } of views) {
      const fresh = new NodeView(edgehelm, cluster);
      await view.poll(7n);
      await fresh.poll(7n);
      expect(view.content.objects).toEqual(objectsOf(servedOn(cluster)));
      expect(fresh.content).toEqual(view.content);
    }
    expect(refused).toBeLessThan(STEPS / 2);
  },
);

function objectsOf(domains: readonly [bigint, ModelDomain][]): string[] {
  return domains.flatMap(([nsDomainId, { objects }]) =>
    [...objects].map(([key, text]) => `${key} of ${nsDomainId}: ${text}`)
  ).sort();
}
