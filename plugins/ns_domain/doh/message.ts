/** The types of records that are queried, by their numbers in DNS messages (RFC 1035, section 3.2.2). */
export const RECORD_TYPES = { NS: 2, TXT: 16, DS: 43 } as const;
export type RecordType = keyof typeof RECORD_TYPES;

/** The answer to a query. */
export interface DnsAnswer {
  /** The response code: 0 means that the name exists, 3 that it does not (RFC 1035, section 4.1.1). */
  readonly code: number;
  /** The values of the records of the queried type: host names, the joined strings of a TXT record, or a DS as text. */
  readonly values: readonly string[];
}

const HEADER_BYTES = 12;
const IS_RESPONSE = 0x80;
const RECURSION_DESIRED = 0x01;
const CLASS_IN = 1;
const MAX_NAME_BYTES = 255;
const MAX_POINTERS = 128;
const MAX_RECORDS = 1000;
const decoder = new TextDecoder();

/**
 * Returns the message of a query (RFC 1035, section 4.1). Its id is 0, which lets caches answer (RFC 8484, section 4.1).
 *
 * @param name an ASCII domain name without a final dot
 */
export function queryMessage(name: string, type: RecordType): Uint8Array<ArrayBuffer> {
  const labels = name.split(".").map((label) => new TextEncoder().encode(label));
  const bytes = [0, 0, RECURSION_DESIRED, 0, 0, 1, 0, 0, 0, 0, 0, 0];
  for (const label of labels) bytes.push(label.length, ...label);
  bytes.push(0, 0, RECORD_TYPES[type], 0, CLASS_IN);
  return Uint8Array.from(bytes);
}

/**
 * Reads the answer to a query.
 *
 * @throws RangeError if the message is not a complete response
 */
export function readAnswer(message: Uint8Array, type: RecordType): DnsAnswer {
  const reader = new Reader(message);
  const [flags, code] = [message[2] ?? 0, (message[3] ?? 0) & 0x0f];
  if (message.length < HEADER_BYTES || (flags & IS_RESPONSE) === 0) throw new RangeError("not a response");
  reader.position = 4;
  const [questions, answers] = [reader.uint16(), reader.uint16()];
  if (questions + answers > MAX_RECORDS) throw new RangeError("too many records");
  reader.position = HEADER_BYTES;
  for (let count = 0; count < questions; count++) {
    reader.name();
    reader.skip(4);
  }
  const values: string[] = [];
  for (let count = 0; count < answers; count++) {
    reader.name();
    const [found, recordClass] = [reader.uint16(), reader.uint16()];
    reader.skip(4);
    const end = reader.uint16() + reader.position;
    if (found === RECORD_TYPES[type] && recordClass === CLASS_IN) {
      values.push(type === "NS" ? reader.name() : type === "DS" ? reader.ds(end) : reader.strings(end));
    }
    reader.moveTo(end);
  }
  return { code, values };
}

/** Reads the parts of a message. Every read is checked against its length. */
class Reader {
  position = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  uint8(): number {
    const value = this.#bytes[this.position++];
    if (value === undefined) throw new RangeError("the message is cut");
    return value;
  }

  uint16(): number {
    return this.uint8() * 256 + this.uint8();
  }

  skip(count: number): void {
    this.moveTo(this.position + count);
  }

  moveTo(position: number): void {
    if (position > this.#bytes.length) throw new RangeError("the message is cut");
    this.position = position;
  }

  /** Reads a domain name, which may point to earlier ones (RFC 1035, section 4.1.4). */
  name(): string {
    const labels: string[] = [];
    let end: number | undefined;
    let length = 0;
    for (let pointers = 0;;) {
      const size = this.uint8();
      if (size >= 0xc0) {
        const target = (size & 0x3f) * 256 + this.uint8();
        if (++pointers > MAX_POINTERS) throw new RangeError("a name points to itself");
        end ??= this.position;
        this.moveTo(target);
        continue;
      }
      if (size === 0) break;
      length += size + 1;
      if (size > 63 || length > MAX_NAME_BYTES) throw new RangeError("a name is too long");
      labels.push(this.#text(size));
    }
    if (end !== undefined) this.position = end;
    return labels.join(".");
  }

  /** Reads the strings of a TXT record, joined. */
  strings(end: number): string {
    const parts: string[] = [];
    while (this.position < end) parts.push(this.#text(this.uint8()));
    return parts.join("");
  }

  /** Reads a DS record (RFC 4034, section 5.1) as a text. */
  ds(end: number): string {
    const numbers = [this.uint16(), this.uint8(), this.uint8()];
    const digest: string[] = [];
    while (this.position < end) digest.push(this.uint8().toString(16).padStart(2, "0"));
    return [...numbers, digest.join("").toUpperCase()].join(" ");
  }

  #text(length: number): string {
    const start = this.position;
    this.skip(length);
    return decoder.decode(this.#bytes.subarray(start, this.position));
  }
}
