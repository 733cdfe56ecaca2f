import { type Call, type Handlers, idField, kernelErrors, randomAlphanumerics, unixSeconds } from "edgehelm";
import { requireDomain } from "../ownership.ts";
import type { NSDomainService } from "../proto/service_ns_domain_pb.ts";
import type { NSDomainRow } from "../store.ts";
import type { Deps } from "./deps.ts";

const DEFAULT_HOST = "_edgehelm-verify";
const DEFAULT_LIFETIME_SECONDS = 86_400n;
const TXT_LENGTH = 32;

interface Answers {
  readonly currentTXTValues: readonly string[];
  readonly currentNSValues: readonly string[];
}

/** Proving that a domain is its owner's. */
export function verifyHandlers({ domains, neighbours: { clusters }, config, clock, resolver }: Deps) {
  const requireTXT = config.requireTXT ?? true;
  const host = config.verifyHost || DEFAULT_HOST;
  const lifetime = config.verifyLifetimeSeconds || DEFAULT_LIFETIME_SECONDS;
  const now = () => BigInt(unixSeconds(clock));
  const hasTXT = (row: NSDomainRow) => row.verifyTXT !== "" && row.verifyExpiresAt > now();

  /** What keeps the domain as it stands from being verified, before DNS is asked. */
  function fault(row: NSDomainRow, hosts: readonly string[]) {
    if (row.status === "forbidden") return failure("InvalidStatus", `domain "${row.name}" is forbidden`);
    if (hosts.length === 0) return failure("InvalidDNSHosts", "the cluster has no hosts that could be asked for");
    if (requireTXT && !hasTXT(row)) return failure("TXTExpired", "the TXT value has expired: ask for a new one");
    return undefined;
  }

  function faultOfNS(values: readonly string[], hosts: readonly string[]) {
    if (values.length === 0) return failure("NSNotFound", "the domain has no NS records");
    const wanted = new Set(hosts.map((one) => one.toLowerCase()));
    if (values.some((value) => wanted.has(value.toLowerCase().replace(/\.$/, "")))) return undefined;
    return failure("InvalidNS", `the NS records name none of ${hosts.join(", ")}`);
  }

  function faultOfTXT(values: readonly string[], row: NSDomainRow) {
    if (values.length === 0) return failure("TXTNotFound", `${host}.${row.name} has no TXT record`);
    if (values.includes(row.verifyTXT)) return undefined;
    return failure("InvalidTXT", `no TXT record of ${host}.${row.name} has the value`);
  }

  /** Marks the domain verified, unless it changed while DNS was asked; another owner's loses the mark. */
  async function settle(call: Call, asked: NSDomainRow, answers: Answers) {
    const row = await domains.byId.first(call, { id: asked.id });
    if (row === undefined || row.nsClusterId !== asked.nsClusterId || row.userId !== asked.userId) {
      return { ...failure("DomainNotFound", "the domain was deleted or moved meanwhile"), ...lists(answers) };
    }
    if (row.status === "forbidden" || row.verifyTXT !== asked.verifyTXT) {
      return { ...failure("InvalidStatus", "the domain changed meanwhile"), ...lists(answers) };
    }
    if (row.status !== "verified") {
      const rival = await domains.verifiedOnCluster.first(call, row);
      if (rival !== undefined) await domains.change(call, rival, { status: "none" });
      await domains.change(call, row, { status: "verified" });
    }
    return { isOk: true, ...lists(answers) };
  }

  return {
    async findNSDomainVerifyingInfo({ nsDomainId }, call) {
      const row = await requireDomain(domains, call, idField("nsDomainId", nsDomainId));
      const { status } = row;
      if (!requireTXT) return { txt: "", expiresAt: 0n, status, requireTXT };
      if (hasTXT(row)) return { txt: row.verifyTXT, expiresAt: row.verifyExpiresAt, status, requireTXT };
      const [txt, expiresAt] = [randomAlphanumerics(TXT_LENGTH), now() + lifetime];
      await domains.setVerifyTXT.run(call, { id: row.id, verifyTXT: txt, verifyExpiresAt: expiresAt });
      return { txt, expiresAt, status, requireTXT };
    },

    async verifyNSDomain({ nsDomainId }, call) {
      const row = await requireDomain(domains, call, idField("nsDomainId", nsDomainId));
      if (row.status === "verified") return { isOk: true };
      const hosts = (await clusters.summaries(call, [row.nsClusterId])).get(row.nsClusterId)?.hosts ?? [];
      const known = fault(row, hosts);
      if (known !== undefined) return known;
      if (resolver === undefined) {
        throw kernelErrors.unavailable("verifying a domain needs a resolver, which is not here");
      }
      const currentNSValues = await resolver.ns(call, row.name);
      const currentTXTValues = requireTXT ? await resolver.txt(call, `${host}.${row.name}`) : [];
      const answers = { currentTXTValues, currentNSValues };
      const found = faultOfNS(currentNSValues, hosts) ?? (requireTXT ? faultOfTXT(currentTXTValues, row) : undefined);
      if (found !== undefined) return { ...found, ...lists(answers) };
      return await call.transact((inner) => settle(inner, row, answers));
    },
  } satisfies Partial<Handlers<typeof NSDomainService>>;
}

function failure(errorCode: string, errorMessage: string) {
  return { isOk: false, errorCode, errorMessage };
}

function lists({ currentTXTValues, currentNSValues }: Answers) {
  return { currentTXTValues: [...currentTXTValues], currentNSValues: [...currentNSValues] };
}
