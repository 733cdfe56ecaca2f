import { DNSAgent } from "../../../servers/dns_agent.ts";
import { Knot } from "../../../servers/knot.ts";
import type { Installation } from "../../installation/installation.ts";
import type { Progress } from "../../report/progress.ts";
import type { Measurement } from "../../suite.ts";
import { nodeCall } from "./node_call.ts";
import { createNode } from "./nodes.ts";
import { Questions } from "./questions.ts";

const ZONE_RECORDS = 100_000;
const NAMES_PER_CALL = 1000;
const ADDRESS = "192.0.2.1";

/**
 * Measures how long a node without data needs to serve all records of its cluster, in zones of 100000, and how long the
 * server needs to give a node one of them.
 */
export async function catchUp(installation: Installation, rows: number, progress: Progress): Promise<Measurement> {
  const cluster = { name: "large", hosts: ["ns1.example.net"], email: "dns@example.net" };
  const { nsClusterId } = await installation.call<{ nsClusterId: number }>(
    "/NSClusterService/createNSCluster",
    cluster,
  );
  const zones: { readonly name: string; readonly nsDomainId: number }[] = [];
  for (let first = 0; first < rows; first += ZONE_RECORDS) {
    progress.note(`creating records: ${first} of ${rows}`);
    zones.push(await largeZone(installation, nsClusterId, `large${zones.length}.example`));
  }
  let round = 0;

  return {
    figures: [{ name: rows === 1_000_000 ? "catch_up_1m_records_s" : "catch_up_records_s", unit: "s" }, {
      name: "zone_100k_records_ms",
      unit: "ms",
    }],
    // what is measured once is as slow as it is for a node that starts
    warmUp: () => Promise.resolve(),
    async measure() {
      const node = await createNode(installation, nsClusterId, `large${round++}`);
      const call = await nodeCall(installation, node);
      const asked = performance.now();
      for (let version = 0, isComplete = false; !isComplete;) {
        const positions = [{ nsDomainId: zones[0]!.nsDomainId, version }];
        const { zones: [changes] } = await call<{
          zones: [{ readonly version: number; readonly isComplete: boolean }];
        }>("/NSZoneService/listNSZoneChanges", { positions, size: 1000 });
        ({ version, isComplete } = changes);
      }
      const given = performance.now();
      await using knot = await Knot.start();
      using questions = new Questions(knot.port);
      const begin = performance.now();
      const endpoints = [`http://127.0.0.1:${installation.grpcPort}`];
      await using _agent = await DNSAgent.start({ endpoints, ...node }, knot);
      for (const { name } of zones) await questions.until(`host-${ZONE_RECORDS - 1}.${name}`, ADDRESS);
      return [(performance.now() - begin) / 1000, given - asked];
    },
  };
}

async function largeZone(installation: Installation, nsClusterId: number, name: string) {
  const domain = { nsClusterId, name };
  const { nsDomainId } = await installation.call<{ nsDomainId: number }>("/NSDomainService/createNSDomain", domain);
  for (let from = 0; from < ZONE_RECORDS; from += NAMES_PER_CALL) {
    const names = Array.from({ length: NAMES_PER_CALL }, (_, index) => `host-${from + index}`);
    const records = { nsDomainId, names, type: "A", value: ADDRESS };
    await installation.call("/NSRecordService/createNSRecords", records);
  }
  return { name, nsDomainId };
}
