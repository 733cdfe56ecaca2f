import type { JsonValue } from "@bufbuild/protobuf";
import { as, stub, TestClock, type TestKernel } from "edgehelm/testing";
import { onTestFinished } from "vitest";
import plugin from "../../../plugins/ns_dnssec/plugin.ts";
import { NSDNSSECService } from "../../../plugins/ns_dnssec/proto/service_ns_dnssec_pb.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { domainKernel } from "../ns_domain/rig.ts";

export const rpc = NSDNSSECService.method;
export const admin = as.admin();
export const ada = as.user(7n);
export const bob = as.user(8n);

export const HOUR = 3600n;
export const DAY = 24n * HOUR;

/** Domains that are signed, a parent whose DS records the test sets, and nodes whose id is that of their cluster. */
export class Rig {
  readonly clock = new TestClock();
  readonly parent = new Map<string, readonly string[]>();
  isParentDown = false;
  edgehelm!: TestKernel;

  static async open(config: JsonValue = {}): Promise<Rig> {
    const rig = new Rig();
    const nodes = stub(NSNodes, { followedCluster: async ({ caller }) => caller.role === "dns" ? caller.nodeId : 0n });
    const resolver = {
      txt: async () => [],
      ns: async () => [],
      ds: (_call: unknown, name: string) =>
        rig.isParentDown ? Promise.reject(new Error("no resolver")) : Promise.resolve(rig.parent.get(name) ?? []),
    };
    rig.edgehelm = await domainKernel({
      plugins: [plugin],
      stubs: [nodes],
      resolver,
      clock: rig.clock,
      pluginConfig: { ns_dnssec: config },
    });
    onTestFinished(() => rig.edgehelm[Symbol.asyncDispose]());
    return rig;
  }

  get now(): bigint {
    return BigInt(Math.floor(this.clock.now() / 1000));
  }

  async domain(name: string, userId = 7n): Promise<bigint> {
    const request = { name, nsClusterId: 1n, userId };
    return (await this.edgehelm.call(admin, NSDomainService.method.createNSDomain, request)).nsDomainId;
  }

  /** Creates a domain of Ada that is signed. */
  async signed(name: string): Promise<bigint> {
    const nsDomainId = await this.domain(name);
    await this.edgehelm.call(ada, rpc.enableNSDomainDNSSEC, { nsDomainId });
    return nsDomainId;
  }

  async find(nsDomainId: bigint) {
    return await this.edgehelm.call(ada, rpc.findNSDomainDNSSEC, { nsDomainId });
  }

  /** Returns the key sets that a node of a cluster receives. */
  async keySets(cluster: bigint, version = 0n) {
    return (await this.edgehelm.call(as.dns(cluster), rpc.listNSDNSSECKeysAfterVersion, { version })).nsDNSSECKeySets;
  }

  /** Lets time pass, and runs the jobs. */
  async pass(seconds: bigint): Promise<void> {
    this.clock.advance(Number(seconds));
    await this.runJobs();
  }

  async runJobs(): Promise<void> {
    await this.edgehelm.kernel.runJob("ns_dnssec.roll");
    await this.edgehelm.kernel.runJob("ns_dnssec.check_parents");
  }

  async follow(): Promise<void> {
    await this.edgehelm.kernel.runJob("ns_domain.follow");
  }

  /** Publishes DS records at the parent, given as dnssec-dsfromkey prints them. */
  publish(name: string, ...records: readonly string[]): void {
    this.parent.set(name, records.map((text) => text.split(" ").slice(3).join(" ")));
  }

  async events(): Promise<string[]> {
    return (await emittedBy(this.edgehelm, "ns_dnssec")).map(({ name }) => name.replace("ns_dnssec.", ""));
  }
}
