import type { Random } from "../../harness/random.ts";

/** A record of the model. */
export interface ModelRecord {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

/** A domain of the model. */
export interface ModelDomain {
  readonly id: number;
  readonly name: string;
  isOn: boolean;
  readonly records: Map<number, ModelRecord>;
}

/** Calls an operation of the installation; rejects if the outcome is unknown. */
// deno-lint-ignore no-explicit-any -- the shape of the response depends on the operation
export type Ask = (path: string, request: object) => Promise<any>;

const NAMES = ["a", "b", "c", "d"];
const MAX_DOMAINS = 5;

/**
 * Random changes of domains and their records, and a plain model of them. It keeps every version of each zone: the texts
 * of its A records, and that of a zone that is not served.
 */
export class Model {
  readonly domains = new Map<string, ModelDomain>();
  /** Every version of each zone since its beginning, by name. */
  readonly versions = new Map<string, Set<string>>();
  readonly #random: Random;
  readonly #ask: Ask;
  readonly #nsClusterId: number;
  #count = 0;

  constructor(random: Random, ask: Ask, nsClusterId: number) {
    this.#random = random;
    this.#ask = ask;
    this.#nsClusterId = nsClusterId;
  }

  /** Makes one change. The version is known before it is made, because nodes may serve it before the response comes. */
  async change(): Promise<void> {
    const domains = [...this.domains.values()];
    const dice = this.#random.below(20);
    if (domains.length === 0 || dice === 0 && domains.length < MAX_DOMAINS) return await this.#createDomain();
    const domain = this.#random.oneOf(domains);
    if (dice === 1) return await this.#turn(domain);
    if (dice === 2 && domains.length > 2) return await this.#deleteDomain(domain);
    const records = [...domain.records.values()];
    if (records.length === 0 || dice < 10) return await this.#createRecords(domain);
    if (dice < 15) return await this.#updateRecord(domain, this.#random.oneOf(records));
    await this.#deleteRecord(domain, this.#random.oneOf(records));
  }

  /** Returns the text of a zone as it is served now. */
  textOf(name: string): string {
    const domain = this.domains.get(name);
    return domain?.isOn === true ? textOf(domain.records.values()) : NOT_SERVED;
  }

  async #createDomain(): Promise<void> {
    const name = `z${++this.#count}.test`;
    this.versions.set(name, new Set([NOT_SERVED, textOf([])]));
    const { nsDomainId } = await this.#ask("NSDomainService/createNSDomain", { nsClusterId: this.#nsClusterId, name });
    this.domains.set(name, { id: nsDomainId, name, isOn: true, records: new Map() });
  }

  async #turn(domain: ModelDomain): Promise<void> {
    const isOn = !domain.isOn;
    const request = { nsDomainId: domain.id, nsClusterId: this.#nsClusterId, isOn };
    this.#note(domain.name, isOn ? textOf(domain.records.values()) : NOT_SERVED);
    await this.#ask("NSDomainService/updateNSDomain", request);
    domain.isOn = isOn;
  }

  async #deleteDomain({ id, name }: ModelDomain): Promise<void> {
    await this.#ask("NSDomainService/deleteNSDomain", { nsDomainId: id });
    this.domains.delete(name);
  }

  /** Creates several records in one call: no node may have some of them only. */
  async #createRecords(domain: ModelDomain): Promise<void> {
    const value = this.#address();
    const names = NAMES.slice(0, 1 + this.#random.below(NAMES.length));
    const added = names.map((name, at) => ({ id: -at, name, value }));
    this.#note(domain.name, textOf([...domain.records.values(), ...added]));
    const request = { nsDomainId: domain.id, names, type: "A", value };
    const { nsRecordIds } = await this.#ask("NSRecordService/createNSRecords", request);
    for (const [at, id] of (nsRecordIds as number[]).entries()) {
      domain.records.set(id, { id, name: names[at]!, value });
    }
  }

  async #updateRecord(domain: ModelDomain, record: ModelRecord): Promise<void> {
    const changed = { ...record, value: this.#address() };
    this.#note(domain.name, textOf([...domain.records.values()].map((one) => one.id === record.id ? changed : one)));
    const { id: nsRecordId, name, value } = changed;
    await this.#ask("NSRecordService/updateNSRecord", { nsRecordId, name, type: "A", value, isOn: true });
    domain.records.set(record.id, changed);
  }

  async #deleteRecord(domain: ModelDomain, { id }: ModelRecord): Promise<void> {
    this.#note(domain.name, textOf([...domain.records.values()].filter((one) => one.id !== id)));
    await this.#ask("NSRecordService/deleteNSRecord", { nsRecordId: id });
    domain.records.delete(id);
  }

  #note(name: string, text: string): void {
    this.versions.get(name)!.add(text);
  }

  #address(): string {
    return `10.${this.#random.below(256)}.${this.#random.below(256)}.${++this.#count % 256}`;
  }
}

/** The text of a zone that Knot refuses to respond for. */
export const NOT_SERVED = "not served";

/** Returns the records of a zone as a text. */
export function textOf(records: Iterable<Pick<ModelRecord, "name" | "value">>): string {
  return [...new Set([...records].map(({ name, value }) => `${name} ${value}`))].sort().join("\n");
}
