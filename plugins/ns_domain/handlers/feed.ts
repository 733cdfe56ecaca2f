import { type Handlers, invalid, pageOf } from "edgehelm";
import type { NSDomainService } from "../proto/service_ns_domain_pb.ts";
import { baseMessage } from "../summaries.ts";
import type { Deps } from "./deps.ts";

/** Implements the operation from which DNS nodes fetch changes. */
export function feedHandlers({ feed, nodes, serving }: Deps) {
  return {
    async listNSDomainsAfterVersion({ version, size }, call) {
      if (version < 0n) throw invalid("version", `must not be negative, got ${version}`);
      const page = pageOf({ size }, { defaultSize: 2000n, maxSize: 10_000n });
      const scope = await nodes?.followedCluster(call) ?? 0n;
      const rows = await feed.after(call, { scope, version, size: page.size });
      const isAdmitted = await serving.admitted(call, rows);
      const nsDomains = rows.map((row) => {
        const message = { ...baseMessage(row), nsCluster: { id: row.nsClusterId } };
        return isAdmitted(row) ? message : { ...message, isOn: false, isDeleted: true };
      });
      return { nsDomains };
    },
  } satisfies Partial<Handlers<typeof NSDomainService>>;
}
