import { type Call, type Handlers, idField } from "edgehelm";
import { emitStatus, transferred } from "../events.ts";
import { requireDomain } from "../ownership.ts";
import type { NSDomainService } from "../proto/service_ns_domain_pb.ts";
import type { NSDomainRow } from "../store_tables.ts";
import { TXTValues } from "../txt_values.ts";
import type { Deps } from "./deps.ts";

/** The results of the DNS queries. */
interface DNSValues {
  readonly currentTXTValues: readonly string[];
  readonly currentNSValues: readonly string[];
}

/** Implements the operations that verify the ownership of a domain. */
export function verifyHandlers(
  { domains, changes, related: { clusters }, clock, verification, transferListeners, transferAsks, events, log }: Deps,
) {
  const { requireTXT } = verification;
  const txtValues = new TXTValues(domains, clock, verification.lifetimeSeconds);

  /** Returns the domain with the name that is verified for another owner, which keeps it until the TXT value is found. */
  const rivalOf = (call: Call, row: NSDomainRow) => domains.verifiedOnCluster.first(call, row);

  /** Emits that the owner of the domain wants one that is verified for another owner. Only what is new is written. */
  async function askForTransfer(call: Call, row: NSDomainRow) {
    const held = await rivalOf(call, row);
    if (held === undefined || !await transferAsks.isNew(call, held, row.userId)) return;
    await call.transact((inner) => transferAsks.asked(inner, held, row));
  }

  /** Returns true if the TXT value is needed: a name that is verified for another owner is never taken without it. */
  async function needsTXT(call: Call, row: NSDomainRow): Promise<boolean> {
    return requireTXT || row.status !== "verified" && await rivalOf(call, row) !== undefined;
  }

  /** Returns the error that prevents the verification, or undefined, before any DNS query. */
  function checkDomain(row: NSDomainRow, hosts: readonly string[]) {
    if (row.status === "forbidden") return errorResult("InvalidStatus", `domain "${row.name}" is forbidden`);
    if (hosts.length === 0) return errorResult("InvalidDNSHosts", "the cluster has no hosts");
    return undefined;
  }

  function checkNS(values: readonly string[], hosts: readonly string[]) {
    if (values.length === 0) return errorResult("NSNotFound", "the domain has no NS records");
    const expected = new Set(hosts.map((name) => name.toLowerCase()));
    if (values.some((value) => expected.has(value.toLowerCase().replace(/\.$/, "")))) return undefined;
    return errorResult("InvalidNS", `the NS records point to none of ${hosts.join(", ")}`);
  }

  async function checkTXT(call: Call, values: readonly string[], row: NSDomainRow) {
    if (values.length === 0) return errorResult("TXTNotFound", `${verification.recordOf(row.name)} has no TXT record`);
    const result = await txtValues.check(call, row, values);
    if (result === "valid") return undefined;
    if (result === "expired") return errorResult("TXTExpired", "the TXT value has expired: request a new one");
    return errorResult("InvalidTXT", `no TXT record of ${verification.recordOf(row.name)} has the value`);
  }

  /** Explains why the TXT value is needed if the name is verified for another owner. */
  async function transferError(call: Call, row: NSDomainRow, error: Awaited<ReturnType<typeof checkTXT>>) {
    if (error === undefined || await rivalOf(call, row) === undefined) return error;
    const reason = `domain "${row.name}" is verified for another owner, who agrees to its transfer by the TXT value`;
    return errorResult("TransferRequired", `${reason}: ${error.errorMessage}`);
  }

  /**
   * Marks the domain as verified, unless it changed during the DNS queries. The domain of another owner with the name
   * loses the mark, and listeners learn of this; `hasProof` tells whether the TXT value was found.
   */
  async function markVerified(call: Call, checked: NSDomainRow, values: DNSValues, hasProof: boolean) {
    const row = await domains.byId.first(call, { id: checked.id });
    if (row === undefined || row.nsClusterId !== checked.nsClusterId || row.userId !== checked.userId) {
      return { ...errorResult("DomainNotFound", "the domain was deleted or moved during the check"), ...lists(values) };
    }
    if (row.status === "forbidden") {
      return { ...errorResult("InvalidStatus", "the domain changed during the check"), ...lists(values) };
    }
    if (row.status !== "verified") {
      const previous = await rivalOf(call, row);
      if (previous !== undefined) {
        if (!hasProof) {
          return { ...errorResult("TransferRequired", "the name was verified for another owner"), ...lists(values) };
        }
        await changes.change(call, previous, { status: "none" });
      }
      await changes.change(call, row, { status: "verified" });
      await emitStatus(events, call, row, "verified");
      if (previous !== undefined) await tellTransfer(call, row, previous);
    }
    return { isOk: true, ...lists(values) };
  }

  async function tellTransfer(call: Call, { id, name, userId }: NSDomainRow, previous: NSDomainRow) {
    log.warn("domain verified for another owner", { domain: name, from: String(previous.userId), to: String(userId) });
    const transfer = { name, nsDomainId: id, userId, previousId: previous.id, previousUserId: previous.userId };
    const lost = { nsDomainId: previous.id, name, newNSDomainId: id };
    await events.emit(call, transferred, lost, previous.userId);
    for (const listener of transferListeners) await listener.transferred(call, transfer);
  }

  return {
    async findNSDomainVerifyingInfo({ nsDomainId }, call) {
      const row = await requireDomain(domains, call, idField("nsDomainId", nsDomainId));
      const { status } = row;
      if (!await needsTXT(call, row)) return { txt: "", expiresAt: 0n, status, requireTXT: false };
      const txtName = verification.recordOf(row.name);
      return { ...await txtValues.current(call, row), txtName, status, requireTXT: true };
    },

    async verifyNSDomain({ nsDomainId }, call) {
      const row = await requireDomain(domains, call, idField("nsDomainId", nsDomainId));
      if (row.status === "verified") return { isOk: true };
      const hosts = (await clusters.summaries(call, [row.nsClusterId])).get(row.nsClusterId)?.hosts ?? [];
      const isTXTNeeded = await needsTXT(call, row);
      const domainError = checkDomain(row, hosts);
      if (domainError !== undefined) return domainError;
      await askForTransfer(call, row);
      const currentNSValues = await verification.nameServersOf(call, row.name);
      const currentTXTValues = isTXTNeeded ? await verification.valuesOf(call, row.name) : [];
      const values = { currentTXTValues, currentNSValues };
      const txtError = isTXTNeeded ? await checkTXT(call, currentTXTValues, row) : undefined;
      const dnsError = checkNS(currentNSValues, hosts) ?? await transferError(call, row, txtError);
      if (dnsError !== undefined) return { ...dnsError, ...lists(values) };
      return await call.transact((inner) => markVerified(inner, row, values, isTXTNeeded));
    },
  } satisfies Partial<Handlers<typeof NSDomainService>>;
}

function errorResult(errorCode: string, errorMessage: string) {
  return { isOk: false, errorCode, errorMessage };
}

function lists({ currentTXTValues, currentNSValues }: DNSValues) {
  return { currentTXTValues: [...currentTXTValues], currentNSValues: [...currentNSValues] };
}
