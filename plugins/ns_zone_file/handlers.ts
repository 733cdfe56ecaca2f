import { type Call, type Handlers, idField, invalid } from "edgehelm";
import type { NSClusters } from "../ns_cluster/contract.ts";
import type { NSDomains, NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSRecordEntry, NSRecords } from "../ns_record/contract.ts";
import { authorityOf, impliedIn, impliedRecords } from "./authority.ts";
import { errors } from "./errors.ts";
import type { Problem } from "./fault.ts";
import { parseZone } from "./parser.ts";
import type { NSZoneFileService } from "./proto/service_ns_zone_file_pb.ts";
import { writeZone } from "./writer.ts";

export interface Deps {
  readonly domains: NSDomains;
  readonly records: NSRecords;
  readonly clusters: NSClusters;
}

const MAX_EXPORTED = 50_000;
const MAX_IMPORTED = 5000;
/** Those that the cluster answers by itself come on top. */
const MAX_READ = MAX_IMPORTED + 1000;
const MAX_CHARACTERS = 2 ** 20;
const MAX_LINES = 50_000;
const MAX_PROBLEMS = 100;
const PAGE = 5000;

export function zoneFileHandlers({ domains, records, clusters }: Deps): Handlers<typeof NSZoneFileService> {
  async function recordsOf(call: Call, domain: NSDomainSummary): Promise<readonly NSRecordEntry[]> {
    const found: NSRecordEntry[] = [];
    let after = 0n;
    while (true) {
      const page = await records.page(call, domain.id, after, PAGE);
      found.push(...page);
      if (found.length > MAX_EXPORTED) throw errors.domain_too_large(domain.name, MAX_EXPORTED);
      if (page.length < PAGE) return found;
      after = page.at(-1)!.id;
    }
  }

  return {
    async exportNSZoneFile({ nsDomainId }, call) {
      const domain = await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      const own = await recordsOf(call, domain);
      const version = own.reduce((highest, record) => record.version > highest ? record.version : highest, 1n);
      const plain = own.filter(({ isOn, routeCodes }) => isOn && routeCodes.length === 0);
      const implied = impliedRecords(await authorityOf(call, clusters, domain), plain, version);
      const all = [...implied.map((record) => ({ ...record, isOn: true, routeCodes: [] })), ...own];
      return { zoneFile: writeZone(domain.name, all) };
    },

    async importNSZoneFile({ nsDomainId, zoneFile, replace }, call) {
      const domain = await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      requireBounded(zoneFile);
      const file = parseZone(zoneFile, domain.name, MAX_READ);
      if (file.records.length > MAX_READ) throw errors.too_many_records(MAX_IMPORTED);
      if (file.problems.length > 0) return refused(file.problems);
      if (file.records.length === 0) throw invalid("zoneFile", "must have at least one record");
      const implied = impliedIn(await authorityOf(call, clusters, domain), file.records, domain.name);
      if (file.records.length - implied.size > MAX_IMPORTED) throw errors.too_many_records(MAX_IMPORTED);
      const given = file.records.map((record) => ({ ...record, isImplied: implied.has(record) }));
      const { faults, ...counts } = await records.merge(call, domain.id, given, { replace });
      if (faults.length > 0) {
        return refused(faults.map(({ index, message }) => ({ line: file.records[index]!.line, message })));
      }
      return {
        countCreated: BigInt(counts.created),
        countUpdated: BigInt(counts.updated),
        countSkipped: BigInt(counts.skipped),
        countRemoved: BigInt(counts.removed),
      };
    },
  };
}

function requireBounded(text: string): void {
  if (text.length > MAX_CHARACTERS) {
    throw invalid("zoneFile", `must have at most ${MAX_CHARACTERS} characters, got ${text.length}`);
  }
  const lines = text.split(/\r\n?|\n/).length;
  if (lines > MAX_LINES) throw invalid("zoneFile", `must have at most ${MAX_LINES} lines, got ${lines}`);
}

/** The answer when nothing was imported. */
function refused(problems: readonly Problem[]) {
  return {
    countProblems: BigInt(problems.length),
    problems: problems.slice(0, MAX_PROBLEMS).map(({ line, message }) => ({ line: BigInt(line), message })),
  };
}
