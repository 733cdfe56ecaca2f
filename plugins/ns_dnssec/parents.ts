import type { Call } from "edgehelm";
import type { DomainVerification, DSRecord } from "../ns_domain/contract.ts";
import { digestOf } from "./dnskey.ts";
import type { KeyRow } from "./store.ts";

/** The digest that this plugin compares: SHA-256, which every parent accepts (RFC 8624). */
const SHA256 = 2;

/** The DS records that the parent of a domain publishes. */
export class Parent {
  readonly #name: string;
  readonly #records: readonly DSRecord[];

  private constructor(name: string, records: readonly DSRecord[]) {
    this.#name = name;
    this.#records = records;
  }

  static async ask(call: Call, parents: DomainVerification, name: string): Promise<Parent> {
    return new Parent(name, await parents.dsOf(call, name));
  }

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  /** The key tags of the DS records, as a text. */
  get tags(): string {
    return this.#records.map(({ keyTag }) => keyTag).join(", ");
  }

  /** Returns true if the parent vouches for a key. */
  async has(key: KeyRow): Promise<boolean> {
    const digest = await digestOf(this.#name, key);
    return this.#records.some((record) =>
      record.digestType === SHA256 && BigInt(record.keyTag) === key.keyTag &&
      BigInt(record.algorithm) === key.algorithm && record.digest.toUpperCase() === digest
    );
  }

  /** Returns true if the parent vouches for one of the keys. */
  async hasOneOf(keys: readonly KeyRow[]): Promise<boolean> {
    return (await Promise.all(keys.map((key) => this.has(key)))).includes(true);
  }
}
