import { type Call, kernelErrors } from "edgehelm";
import type { DomainResolver } from "../resolver.ts";
import { queryMessage, readAnswer, type RecordType } from "./message.ts";

const MEDIA_TYPE = "application/dns-message";
const MAX_BYTES = 65_535;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/**
 * Returns a resolver that queries DNS over HTTPS (RFC 8484), for hosts without UDP and networks that block it. The
 * servers are tried in order.
 *
 * @throws Error, which stops the start, for an address that is none
 */
export function dohResolver(servers: readonly string[], timeoutMilliseconds: number): DomainResolver {
  for (const [index, server] of servers.entries()) {
    if (URL.canParse(server) && /^https?:$/.test(new URL(server).protocol)) continue;
    throw new Error(`dohServers.${index}: must be an address such as https://dns.example/dns-query, got "${server}"`);
  }

  async function ask(call: Call, server: string, name: string, type: RecordType): Promise<readonly string[]> {
    const response = await call.fetch(server, {
      method: "POST",
      headers: { "content-type": MEDIA_TYPE, accept: MEDIA_TYPE },
      body: queryMessage(name, type),
      maxBytes: MAX_BYTES,
      timeoutMilliseconds,
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    const { code, values } = readAnswer(bytes, type);
    if (code === NO_ERROR || code === NO_SUCH_NAME) return values;
    throw new Error(`DNS response code ${code}`);
  }

  async function valuesOf(call: Call, name: string, type: RecordType): Promise<readonly string[]> {
    const failures: string[] = [];
    for (const server of servers) {
      try {
        return await ask(call, server, name, type);
      } catch (error) {
        failures.push(`${server}: ${error instanceof Error ? error.message : error}`);
      }
    }
    throw kernelErrors.unavailable(`no resolver can resolve ${name}: ${failures.join("; ")}`);
  }

  return {
    txt: (call, name) => valuesOf(call, name, "TXT"),
    ns: (call, name) => valuesOf(call, name, "NS"),
    ds: (call, name) => valuesOf(call, name, "DS"),
  };
}
