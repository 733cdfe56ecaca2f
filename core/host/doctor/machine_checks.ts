import { Resolver } from "node:dns/promises";
import process from "node:process";
import { hasCode } from "../settings/files.ts";
import { filesFor, openFileLimit } from "../settings/open_files.ts";
import type { Settings } from "../settings/settings.ts";
import { failure, type Finding, ok, warning } from "./finding.ts";

/** The oldest versions of the runtimes that are tested. */
const OLDEST = { node: [24, 0], deno: [2, 9] } as const;
const DNS_MILLISECONDS = 2000;

/** Checks that the runtime is one that is supported. */
export function checkRuntime(versions: Readonly<Record<string, string | undefined>> = process.versions): Finding {
  const { deno, node = "" } = versions;
  const name = deno === undefined ? `Node ${node}` : `Deno ${deno}`;
  const [oldestMajor, oldestMinor] = OLDEST[deno === undefined ? "node" : "deno"];
  const [major = 0, minor = 0] = (deno ?? node).split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return ok("runtime", name);
  return failure(
    "runtime",
    `${name} is too old; use Deno ${OLDEST.deno.join(".")} or Node ${OLDEST.node[0]}, or later`,
  );
}

/** Checks that the process may open as many files as connections are allowed. */
export function checkOpenFiles({ limits }: Settings): Finding {
  const wanted = filesFor(limits.httpConnections + limits.grpcConnections);
  const allowed = openFileLimit();
  if (allowed === undefined) return ok("open files", "the limit is not known on this system");
  if (allowed >= wanted) return ok("open files", `${allowed} allowed, ${wanted} needed`);
  return warning(
    "open files",
    `${allowed} allowed, ${wanted} needed for all connections; raise it (ulimit -n ${wanted}, or LimitNOFILE=${wanted} ` +
      "of systemd), or lower limits.httpConnections and limits.grpcConnections",
  );
}

/** Checks that the clock cannot be far wrong: access tokens and signatures depend on it. */
export function checkClock(lastWrite: Date | undefined, now = new Date()): Finding {
  if (lastWrite === undefined || lastWrite <= now) return ok("clock", now.toISOString());
  return failure(
    "clock",
    `it says ${now.toISOString()}, but the database was written at ${lastWrite.toISOString()}; set the clock, and keep ` +
      "it right with NTP",
  );
}

/** Checks that the resolver of the system answers, which the verification of domains needs. */
export async function checkDns(resolver = new Resolver({ timeout: DNS_MILLISECONDS, tries: 1 })): Promise<Finding> {
  const servers = resolver.getServers().join(", ") || "none";
  try {
    await resolver.resolveNs(".");
    return ok("dns", `the resolver responds (${servers})`);
  } catch (error) {
    // an answer without records is an answer
    if (["ENODATA", "ENOTFOUND"].some((code) => hasCode(error, code))) {
      return ok("dns", `the resolver responds (${servers})`);
    }
    return warning(
      "dns",
      `the resolver does not respond (${servers}); domains cannot be verified until it does: check /etc/resolv.conf, or ` +
        'set "resolvers" in the configuration of ns_domain',
    );
  }
}
