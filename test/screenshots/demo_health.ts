import type { NodePost, Post } from "./demo.ts";

const CHECK = { isOn: true, port: 443, timeoutSeconds: 3, countDown: 3, countUp: 2 };
/** The nodes that report the first record as down; most of those that were started. */
const REPORTERS = [1, 2, 3];

/** Has the addresses of the first domain checked, of which one is down and another was taken out. */
export async function fillHealth(post: Post, nodePost: NodePost): Promise<void> {
  const { nsRecords } = await post("NSRecordService/listNSRecords", { nsDomainId: 1, type: "A", size: 10 });
  const nsDomainRecordsHealthCheckJSON = Buffer.from(JSON.stringify(CHECK)).toString("base64");
  await post("NSDomainService/updateNSDomainRecordsHealthCheck", { nsDomainId: 1, nsDomainRecordsHealthCheckJSON });
  const [down, out] = nsRecords as { id: number }[];
  for (const nsNodeId of REPORTERS) {
    const { nsNode } = await post("NSNodeService/findNSNode", { nsNodeId });
    const node = await nodePost("dns", nsNode);
    await node("NSRecordService/updateNSRecordIsUp", { nsRecordId: down!.id, isUp: false });
  }
  if (out !== undefined) await post("NSRecordService/updateNSRecordIsUp", { nsRecordId: out.id, isUp: false });
}
