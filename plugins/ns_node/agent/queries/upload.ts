import { Code, ConnectError } from "@connectrpc/connect";
import type { Api } from "../api.ts";
import type { Batch } from "./batches.ts";
import type { DomainSum, RecordSum, Sums } from "./counts.ts";

/** Below the limit of an upload. */
const PAGE_SIZE = 5000;
const DAY_SECONDS = 86_400;
/** Errors after which an upload is not repeated: rows are refused, for instance because they are too old. */
const REFUSED: readonly Code[] = [Code.InvalidArgument, Code.Unimplemented];

/**
 * Uploads a batch in pages, each under a name of its own and of one day, because a row that is too old refuses all others
 * of its page. Returns the error if the server refuses one for good.
 */
export async function uploadBatch(api: Api, { name, sums }: Batch): Promise<ConnectError | undefined> {
  let refused: ConnectError | undefined;
  for (const [page, request] of pagesOf(sums).entries()) {
    try {
      await api.queries.uploadNSRecordHourlyStats({ uploadId: `${name}-${page}`, ...request }, { signal: api.signal });
    } catch (error) {
      const { code } = ConnectError.from(error);
      if (!REFUSED.includes(code)) throw error;
      refused = ConnectError.from(error);
    }
  }
  return refused;
}

function pagesOf({ domains, records }: Sums) {
  const days = new Set([...domains, ...records].map(dayOf));
  return [...days].sort().flatMap((day) => {
    const [ofDomains, ofRecords] = [
      domains.filter((sum) => dayOf(sum) === day),
      records.filter((sum) => dayOf(sum) === day),
    ];
    const pages = Math.ceil(Math.max(ofDomains.length, ofRecords.length) / PAGE_SIZE);
    return Array.from({ length: pages }, (_, page) => {
      const [from, to] = [page * PAGE_SIZE, (page + 1) * PAGE_SIZE];
      return {
        domainStats: ofDomains.slice(from, to).map(([at, domain, questionType, responseCode, count, bytes]) => ({
          ...{ questionType, responseCode, nsDomainId: BigInt(domain), createdAt: BigInt(at) },
          ...{ countRequests: BigInt(count), bytes: BigInt(bytes) },
        })),
        stats: ofRecords.slice(from, to).map(([at, domain, record, count, bytes]) => ({
          ...{ nsDomainId: BigInt(domain), nsRecordId: BigInt(record), createdAt: BigInt(at) },
          ...{ countRequests: BigInt(count), bytes: BigInt(bytes) },
        })),
      };
    });
  });
}

function dayOf([at]: DomainSum | RecordSum): number {
  return Math.floor(at / DAY_SECONDS);
}
