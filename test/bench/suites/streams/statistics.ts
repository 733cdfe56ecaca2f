import type { Installation } from "../../installation/installation.ts";
import type { Measurement } from "../../suite.ts";
import { nodeCall } from "./node_call.ts";
import { createNode } from "./nodes.ts";

const UPLOADS = 50;
const ROWS = 200;

/** Measures the processor time of the server for a row of statistics that a node uploads. */
export async function statisticsIntake(installation: Installation): Promise<Measurement> {
  const cluster = { name: "statistics", hosts: ["ns1.example.net"], email: "dns@example.net" };
  const { nsClusterId } = await installation.call<{ nsClusterId: number }>(
    "/NSClusterService/createNSCluster",
    cluster,
  );
  const call = await nodeCall(installation, await createNode(installation, nsClusterId, "statistics"));
  const ids: number[] = [];
  for (let index = 0; index < ROWS; index++) {
    const domain = { nsClusterId, name: `statistics${index}.example` };
    ids.push((await installation.call<{ nsDomainId: number }>("/NSDomainService/createNSDomain", domain)).nsDomainId);
  }
  let serial = 0;
  return {
    figures: [{ name: "stats_us_per_row", unit: "us" }],
    async measure() {
      const { server } = installation;
      const before = server.cpuMicroseconds();
      for (let upload = 0; upload < UPLOADS; upload++) {
        const row = { questionType: "A", responseCode: "NOERROR", countRequests: 7, bytes: 700 };
        await call("/NSRecordHourlyStatService/uploadNSRecordHourlyStats", {
          uploadId: `bench-${serial++}`,
          domainStats: ids.map((nsDomainId) => ({ ...row, nsDomainId })),
        });
      }
      return [(server.cpuMicroseconds() - before) / (UPLOADS * ROWS)];
    },
  };
}
