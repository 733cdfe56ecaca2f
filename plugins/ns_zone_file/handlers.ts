import { type Call, type Handlers, idField, invalid } from "edgehelm";
import type { NSClusters } from "../ns_cluster/contract.ts";
import type { NSDomains, NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSRecordEntry, NSRecords } from "../ns_record/contract.ts";
import { authorityOf, impliedIn, impliedRecords } from "./authority.ts";
import { errors } from "./errors.ts";
import { parseZone } from "./parser.ts";
import type { NSZoneFileService } from "./proto/service_ns_zone_file_pb.ts";
import { writeZone } from "./writer.ts";
import type { LineError } from "./zone_error.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly domains: NSDomains;
  readonly records: NSRecords;
  readonly clusters: NSClusters;
}

const MAX_EXPORTED_RECORDS = 50_000;
const MAX_IMPORTED_RECORDS = 5000;
/** Includes the records that the cluster answers by itself, which are not imported. */
const MAX_PARSED_RECORDS = MAX_IMPORTED_RECORDS + 1000;
const MAX_CHARACTERS = 2 ** 20;
const MAX_LINES = 50_000;
const MAX_RETURNED_ERRORS = 100;
const PAGE_SIZE = 5000;

/** Implements every operation of the service. */
export function zoneFileHandlers({ domains, records, clusters }: Deps): Handlers<typeof NSZoneFileService> {
  async function recordsOf(call: Call, domain: NSDomainSummary): Promise<readonly NSRecordEntry[]> {
    const entries: NSRecordEntry[] = [];
    let after = 0n;
    while (true) {
      const page = await records.page(call, domain.id, after, PAGE_SIZE);
      entries.push(...page);
      if (entries.length > MAX_EXPORTED_RECORDS) throw errors.domain_too_large(domain.name, MAX_EXPORTED_RECORDS);
      if (page.length < PAGE_SIZE) return entries;
      after = page.at(-1)!.id;
    }
  }

  return {
    async exportNSZoneFile({ nsDomainId }, call) {
      const domain = await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      const own = await recordsOf(call, domain);
      const version = own.reduce((highest, record) => record.version > highest ? record.version : highest, 1n);
      const plain = own.filter(({ isOn, routeCodes }) => isOn && routeCodes.length === 0);
      const implied = impliedRecords(
        await authorityOf(call, clusters, domain.nsClusterId),
        domain.name,
        plain,
        version,
      );
      const all = [...implied.map((record) => ({ ...record, isOn: true, routeCodes: [] })), ...own];
      return { zoneFile: writeZone(domain.name, all) };
    },

    async importNSZoneFile({ nsDomainId, zoneFile, replace }, call) {
      const domain = await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      checkSize(zoneFile);
      const file = parseZone(zoneFile, domain.name, MAX_PARSED_RECORDS);
      if (file.records.length > MAX_PARSED_RECORDS) throw errors.too_many_records(MAX_IMPORTED_RECORDS);
      if (file.errors.length > 0) return errorResponse(file.errors);
      if (file.records.length === 0) throw invalid("zoneFile", "must have at least one record");
      const implied = impliedIn(await authorityOf(call, clusters, domain.nsClusterId), file.records, domain.name);
      if (file.records.length - implied.size > MAX_IMPORTED_RECORDS) {
        throw errors.too_many_records(MAX_IMPORTED_RECORDS);
      }
      const toMerge = file.records.map((record) => ({ ...record, isImplied: implied.has(record) }));
      const { errors: mergeErrors, ...counts } = await records.merge(call, domain.id, toMerge, { replace });
      if (mergeErrors.length > 0) {
        return errorResponse(mergeErrors.map(({ index, message }) => ({ line: file.records[index]!.line, message })));
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

function checkSize(text: string): void {
  if (text.length > MAX_CHARACTERS) {
    throw invalid("zoneFile", `must have at most ${MAX_CHARACTERS} characters, got ${text.length}`);
  }
  const lines = text.split(/\r\n?|\n/).length;
  if (lines > MAX_LINES) throw invalid("zoneFile", `must have at most ${MAX_LINES} lines, got ${lines}`);
}

/** Returns the response to a file with errors, of which nothing was imported. */
function errorResponse(lineErrors: readonly LineError[]) {
  return {
    countProblems: BigInt(lineErrors.length),
    problems: lineErrors.slice(0, MAX_RETURNED_ERRORS).map(({ line, message }) => ({ line: BigInt(line), message })),
  };
}
