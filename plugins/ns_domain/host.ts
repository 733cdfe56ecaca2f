import { Resolver } from "node:dns/promises";
import { kernelErrors } from "edgehelm";
import { queryDS } from "./host/ds_query.ts";
import type { NSDomainConfig } from "./proto/config_pb.ts";
import type { DomainResolver } from "./resolver.ts";

const DEFAULT_TIMEOUT_MILLISECONDS = 5000n;
const NO_RECORD_CODES = new Set(["ENOTFOUND", "ENODATA"]);

/** Returns a resolver that queries the configured DNS resolvers or, if none are configured, those of the system. */
export function open({ resolvers, resolveTimeoutMilliseconds }: NSDomainConfig): DomainResolver {
  const timeout = Number(resolveTimeoutMilliseconds || DEFAULT_TIMEOUT_MILLISECONDS);
  const resolver = new Resolver({ timeout, tries: 1 });
  if (resolvers.length > 0) resolver.setServers(resolvers);

  async function valuesOf<Value>(name: string, query: Promise<Value[]>): Promise<Value[]> {
    try {
      return await query;
    } catch (error) {
      const code = (error as { code?: string }).code ?? String(error);
      if (NO_RECORD_CODES.has(code)) return [];
      throw kernelErrors.unavailable(`resolver ${resolver.getServers().join(", ")} cannot resolve ${name}: ${code}`);
    }
  }

  return {
    txt: async (_call, name) => (await valuesOf(name, resolver.resolveTxt(name))).map((strings) => strings.join("")),
    ns: (_call, name) => valuesOf(name, resolver.resolveNs(name)),
    ds: async (_call, name) => {
      const servers = resolver.getServers();
      const failures: string[] = [];
      for (const server of servers) {
        try {
          return await queryDS(server, name, timeout);
        } catch (error) {
          failures.push(`${server}: ${error instanceof Error ? error.message : error}`);
        }
      }
      throw kernelErrors.unavailable(`no resolver can look up the DS records of ${name}: ${failures.join("; ")}`);
    },
  };
}
