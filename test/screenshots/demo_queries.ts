import type { NodePost, Post } from "./demo.ts";

const HOUR = 3600;
const TYPES = [["A", 60], ["AAAA", 30], ["HTTPS", 12], ["MX", 3], ["TYPE65280", 1]] as const;

/** Fills an installation with the DNS queries of a week. */
export async function fillQueries(post: Post, nodePost: NodePost): Promise<void> {
  const { nsNode } = await post("NSNodeService/findNSNode", { nsNodeId: 1 });
  const node = await nodePost("dns", nsNode);
  const { nsDomains } = await post("NSDomainService/listNSDomains", { size: 10 });
  for (const { id: nsDomainId } of nsDomains) {
    const { nsRecords } = await post("NSRecordService/listNSRecords", { nsDomainId, size: 8 });
    const now = Math.floor(Date.now() / 1000);
    const upload = { stats: [] as object[], domainStats: [] as object[] };
    for (let hour = 0; hour < 72; hour++) {
      const createdAt = now - hour * HOUR;
      const level = 30 + 20 * Math.sin(createdAt / HOUR / 24 * 2 * Math.PI);
      for (const [questionType, share] of TYPES) {
        for (const [responseCode, part] of [["NOERROR", 1], ["NXDOMAIN", 0.08]] as const) {
          const countRequests = Math.round(level * share * part);
          const bytes = countRequests * 96;
          upload.domainStats.push({ nsDomainId, questionType, responseCode, countRequests, bytes, createdAt });
        }
      }
      for (const [index, { id: nsRecordId }] of nsRecords.entries()) {
        const countRequests = Math.round(level * 60 / (index + 1));
        upload.stats.push({ nsDomainId, nsRecordId, countRequests, bytes: countRequests * 96, createdAt });
      }
    }
    await node("NSRecordHourlyStatService/uploadNSRecordHourlyStats", upload);
  }
}
