import { DNSAgent } from "../../../servers/dns_agent.ts";
import { Knot } from "../../../servers/knot.ts";
import type { Installation } from "../../installation/installation.ts";
import { quantile } from "../../report/statistics.ts";
import type { Measurement } from "../../suite.ts";
import { createNode } from "./nodes.ts";
import { Questions } from "./questions.ts";

const ZONES = 100;
const CHANGES_PER_SECOND = 100;

interface Zone {
  readonly name: string;
  readonly nsRecordId: number;
}

/**
 * Measures the time from the response to a change of a record until a node gives the new one, while each of 100 zones
 * changes once a second. The node is Knot with the agent of this project.
 */
export async function changeToAnswer(
  installation: Installation,
  stack: AsyncDisposableStack,
  seconds: number,
): Promise<Measurement> {
  const cluster = { name: "answers", hosts: ["ns1.example.net"], email: "dns@example.net" };
  const { nsClusterId } = await installation.call<{ nsClusterId: number }>(
    "/NSClusterService/createNSCluster",
    cluster,
  );
  const node = await createNode(installation, nsClusterId, "answers");
  const knot = stack.use(await Knot.start());
  const endpoints = [`http://127.0.0.1:${installation.grpcPort}`];
  stack.use(await DNSAgent.start({ endpoints, ...node }, knot));
  const questions = stack.use(new Questions(knot.port));
  const zones: Zone[] = [];
  for (let index = 0; index < ZONES; index++) {
    const name = `zone${index}.example`;
    const { nsDomainId } = await installation.call<{ nsDomainId: number }>("/NSDomainService/createNSDomain", {
      ...{ nsClusterId, name },
    });
    const record = { nsDomainId, name: "www", type: "A", value: "192.0.2.1" };
    const { nsRecordId } = await installation.call<{ nsRecordId: number }>("/NSRecordService/createNSRecord", record);
    zones.push({ name: `www.${name}`, nsRecordId });
  }
  for (const { name } of zones) await questions.until(name, "192.0.2.1");
  let serial = 0;

  async function change(zone: Zone): Promise<number> {
    const value = `10.${++serial >> 16 & 255}.${serial >> 8 & 255}.${serial & 255}`;
    const request = { nsRecordId: zone.nsRecordId, name: "www", type: "A", value, isOn: true };
    await installation.call("/NSRecordService/updateNSRecord", request);
    const committed = performance.now();
    await questions.until(zone.name, value);
    return performance.now() - committed;
  }

  return {
    figures: [{ name: "change_to_answer_ms_p50", unit: "ms" }, { name: "change_to_answer_ms_p99", unit: "ms" }],
    async measure() {
      const times: Promise<number>[] = [];
      const begin = performance.now();
      while (times.length < seconds * CHANGES_PER_SECOND) {
        times.push(change(zones[times.length % ZONES]!));
        const next = begin + times.length / CHANGES_PER_SECOND * 1000;
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
      }
      const all = await Promise.all(times);
      return [quantile(all, 0.5), quantile(all, 0.99)];
    },
  };
}
