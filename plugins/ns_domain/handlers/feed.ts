import { type Handlers, invalid, pageOf } from "edgehelm";
import type { NSDomainService } from "../service_ns_domain_pb.ts";
import { plainMessage } from "../summaries.ts";
import type { Parts } from "./parts.ts";

/** What DNS nodes follow. */
export function feedHandlers({ domains }: Parts) {
  return {
    async listNSDomainsAfterVersion({ version, size }, call) {
      if (version < 0n) throw invalid("version", `must not be negative, got ${version}`);
      const page = pageOf({ size }, { defaultSize: 2000n, maxSize: 10_000n });
      const rows = await domains.afterVersion.all(call, { version, size: page.size });
      return {
        nsDomains: rows.map((row) => ({ ...plainMessage(row), nsCluster: { id: row.nsClusterId } })),
      };
    },
  } satisfies Partial<Handlers<typeof NSDomainService>>;
}
