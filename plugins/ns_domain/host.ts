import { Resolver } from "node:dns/promises";
import { kernelErrors } from "edgehelm";
import type { NSDomainConfig } from "./proto/config_pb.ts";
import type { DomainResolver } from "./resolver.ts";

const DEFAULT_TIMEOUT_MILLISECONDS = 5000n;
const NOTHING_THERE = new Set(["ENOTFOUND", "ENODATA"]);

/** The machine's way to ask DNS: the configured resolvers, or else the system's. */
export function open({ resolvers, resolveTimeoutMilliseconds }: NSDomainConfig): DomainResolver {
  const timeout = Number(resolveTimeoutMilliseconds || DEFAULT_TIMEOUT_MILLISECONDS);
  const resolver = new Resolver({ timeout, tries: 1 });
  if (resolvers.length > 0) resolver.setServers(resolvers);

  async function answers<Answer>(name: string, question: Promise<Answer[]>): Promise<Answer[]> {
    try {
      return await question;
    } catch (error) {
      const code = (error as { code?: string }).code ?? String(error);
      if (NOTHING_THERE.has(code)) return [];
      throw kernelErrors.unavailable(`resolver ${resolver.getServers().join(", ")} cannot tell about ${name}: ${code}`);
    }
  }

  return {
    txt: async (_call, name) => (await answers(name, resolver.resolveTxt(name))).map((pieces) => pieces.join("")),
    ns: (_call, name) => answers(name, resolver.resolveNs(name)),
  };
}
