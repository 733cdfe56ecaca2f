import { OTHER } from "./names.ts";

/** Hours begin at a multiple of it in every time zone. */
const SLOT_SECONDS = 900;
/** The number of sums that one batch has of domains, and of records. Beyond it, what is new is summed up by domain. */
const MAX_SUMS = 50_000;
/** The record 0 stands for those beyond. */
const OTHER_RECORDS = "0";

/** The queries of a domain of one type and response code: time, domain, type, code, number, bytes. */
export type DomainSum = [at: number, nsDomainId: string, type: string, code: string, count: number, bytes: number];
/** The queries of a record: time, domain, record, number, bytes. */
export type RecordSum = [at: number, nsDomainId: string, nsRecordId: string, count: number, bytes: number];

/** Sums of queries, as they are on disk. */
export interface Sums {
  readonly domains: readonly DomainSum[];
  readonly records: readonly RecordSum[];
}

/** A query that is known to be about a domain. */
export interface CountedQuery {
  readonly nsDomainId: string;
  readonly nsRecordIds: readonly string[];
  readonly type: string;
  readonly code: string;
  readonly bytes: number;
  readonly at: number;
}

/** Sums of queries by quarter of an hour, in bounded memory. */
export class QueryCounts {
  readonly #domains = new Map<string, DomainSum>();
  readonly #records = new Map<string, RecordSum>();
  readonly #maxSums: number;

  constructor({ domains, records }: Sums = { domains: [], records: [] }, maxSums = MAX_SUMS) {
    this.#maxSums = maxSums;
    for (const sum of domains) this.#domains.set(sum.slice(0, 4).join(" "), [...sum]);
    for (const sum of records) this.#records.set(sum.slice(0, 3).join(" "), [...sum]);
  }

  get isEmpty(): boolean {
    return this.#domains.size === 0;
  }

  get sums(): Sums {
    return { domains: [...this.#domains.values()], records: [...this.#records.values()] };
  }

  /** Counts a query. Returns false if there is no room, even for the rest of its domain. */
  add({ nsDomainId, nsRecordIds, type, code, bytes, at }: CountedQuery): boolean {
    const slot = Math.floor(at / SLOT_SECONDS) * SLOT_SECONDS;
    const domain = this.#domainSum(slot, nsDomainId, type, code);
    if (domain === undefined) return false;
    domain[4]++;
    domain[5] += bytes;
    for (const id of nsRecordIds) {
      const record = this.#recordSum(slot, nsDomainId, id);
      if (record === undefined) return false;
      record[3]++;
      record[4] += bytes;
    }
    return true;
  }

  #domainSum(slot: number, nsDomainId: string, type: string, code: string): DomainSum | undefined {
    const room = (key: string) => this.#domains.has(key) || this.#domains.size < this.#maxSums;
    const [wanted, rest] = [`${slot} ${nsDomainId} ${type} ${code}`, `${slot} ${nsDomainId} ${OTHER} ${OTHER}`];
    if (room(wanted)) return known(this.#domains, wanted, () => [slot, nsDomainId, type, code, 0, 0]);
    if (!this.#domains.has(rest) && this.#domains.size >= 2 * this.#maxSums) return undefined;
    return known(this.#domains, rest, () => [slot, nsDomainId, OTHER, OTHER, 0, 0]);
  }

  #recordSum(slot: number, nsDomainId: string, nsRecordId: string): RecordSum | undefined {
    const room = (key: string) => this.#records.has(key) || this.#records.size < this.#maxSums;
    const [wanted, rest] = [`${slot} ${nsDomainId} ${nsRecordId}`, `${slot} ${nsDomainId} ${OTHER_RECORDS}`];
    if (room(wanted)) return known(this.#records, wanted, () => [slot, nsDomainId, nsRecordId, 0, 0]);
    if (!this.#records.has(rest) && this.#records.size >= 2 * this.#maxSums) return undefined;
    return known(this.#records, rest, () => [slot, nsDomainId, OTHER_RECORDS, 0, 0]);
  }
}

function known<Sum>(sums: Map<string, Sum>, key: string, create: () => Sum): Sum {
  let sum = sums.get(key);
  if (sum === undefined) sums.set(key, sum = create());
  return sum;
}
