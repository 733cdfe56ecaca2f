import type { MetadataField, ResponseMetadata } from "../../base/metadata.ts";
import { decodeBase64, encodeBase64 } from "../../protobuf/json/base64.ts";
import { isKept } from "./kept_fields.ts";

/** Clients of gRPC accept at least 8 KiB of headers. */
const MAX_BYTES = 8192;
const MAX_FIELDS = 64;
/** The overhead of a field in a header list (RFC 9113, section 6.5.2). */
const OVERHEAD = 32;
/** Matches a token (RFC 9110, section 5.6.2) in lower case. */
const NAME = /^[a-z0-9!#$%&'*+\-.^_`|~]{1,128}$/;
const VALUE = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;

/** The fields that a handler sets for its response. */
export class SentFields implements ResponseMetadata, Iterable<MetadataField> {
  readonly #what: string;
  #fields: MetadataField[] = [];
  #isSent = false;

  /** @param what `headers` or `trailers` */
  constructor(what: string) {
    this.#what = what;
  }

  get isEmpty(): boolean {
    return this.#fields.length === 0;
  }

  [Symbol.iterator](): Iterator<MetadataField> {
    return this.#fields[Symbol.iterator]();
  }

  set(name: string, value: string | Uint8Array): void {
    this.#add(name, value, true);
  }

  append(name: string, value: string | Uint8Array): void {
    this.#add(name, value, false);
  }

  /** Refuses further fields, because those so far are sent now. */
  sent(): void {
    this.#isSent = true;
  }

  #add(givenName: string, given: string | Uint8Array, replaces: boolean): void {
    const name = givenName.toLowerCase();
    if (this.#isSent) throw new Error(`the ${this.#what} have been sent: ${name} comes too late`);
    if (!NAME.test(name)) {
      throw new TypeError(`the field name ${JSON.stringify(name.slice(0, 130))} is not well-formed`);
    }
    if (isKept(name)) throw new TypeError(`the field ${name} is set by the kernel alone`);
    const value = valueOf(name, given);
    const kept = replaces ? this.#fields.filter(([other]) => other !== name) : this.#fields;
    const fields = [...kept, [name, value] as const];
    const bytes = fields.reduce((sum, [name, value]) => sum + name.length + value.length + OVERHEAD, 0);
    if (fields.length > MAX_FIELDS || bytes > MAX_BYTES) {
      throw new RangeError(`the ${this.#what} of a response have at most ${MAX_FIELDS} fields and ${MAX_BYTES} bytes`);
    }
    this.#fields = fields;
  }
}

function valueOf(name: string, value: string | Uint8Array): string {
  if (name.endsWith("-bin")) {
    if (typeof value !== "string") return encodeBase64(value).replace(/={1,2}$/, "");
    if (value.split(",").every((part) => decodeBase64(part.trim()) !== undefined)) return value;
    throw new TypeError(`the value of the binary field ${name} is not base64`);
  }
  if (typeof value === "string" && VALUE.test(value)) return value;
  throw new TypeError(`the value of the field ${name} must be printable ASCII without white space at its ends`);
}
