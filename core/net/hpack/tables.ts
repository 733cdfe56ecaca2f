import { HeaderField } from "./header_field.ts";

/** The static table (RFC 7541, appendix A): names with their values. */
const STATIC: readonly (readonly [name: string, ...values: string[]])[] = [
  [":authority", ""],
  [":method", "GET", "POST"],
  [":path", "/", "/index.html"],
  [":scheme", "http", "https"],
  [":status", "200", "204", "206", "304", "400", "404", "500"],
  ["accept-charset", ""],
  ["accept-encoding", "gzip, deflate"],
  ..."accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control"
    .split(" ").map((name) => [name, ""] as const),
  ..."content-disposition content-encoding content-language content-length content-location content-range content-type"
    .split(" ").map((name) => [name, ""] as const),
  ..."cookie date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since"
    .split(" ").map((name) => [name, ""] as const),
  ..."last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh retry-after"
    .split(" ").map((name) => [name, ""] as const),
  ..."server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate"
    .split(" ").map((name) => [name, ""] as const),
];

/** The fields of the static table. The first has the index 1. */
export const STATIC_TABLE: readonly HeaderField[] = STATIC.flatMap(([name, ...values]) =>
  values.map((value) => new HeaderField(name, value))
);

/** The fields that the peer added to the table, newest first (RFC 7541, section 2.3.2). */
export class DynamicTable {
  /** A ring buffer whose newest field is at `#newest`. */
  #ring: (HeaderField | undefined)[] = new Array(16);
  #newest = 0;
  #count = 0;
  #size = 0;
  #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#size;
  }

  get length(): number {
    return this.#count;
  }

  /** Returns the field at an index; the newest has the index 0. */
  get(index: number): HeaderField | undefined {
    return index < this.#count ? this.#ring[(this.#newest - index) & (this.#ring.length - 1)] : undefined;
  }

  /** Adds a field. A field larger than the table empties it (section 4.4). */
  add(field: HeaderField): void {
    this.#evict(this.#capacity - field.size);
    if (field.size > this.#capacity) return;
    if (this.#count === this.#ring.length) this.#grow();
    this.#newest = (this.#newest + 1) & (this.#ring.length - 1);
    this.#ring[this.#newest] = field;
    this.#count++;
    this.#size += field.size;
  }

  resize(capacity: number): void {
    this.#capacity = capacity;
    this.#evict(capacity);
  }

  /** Evicts the oldest fields until the size is at most `maxSize` bytes. */
  #evict(maxSize: number): void {
    while (this.#count > 0 && this.#size > maxSize) {
      const oldest = (this.#newest - this.#count + 1) & (this.#ring.length - 1);
      this.#size -= this.#ring[oldest]!.size;
      this.#ring[oldest] = undefined;
      this.#count--;
    }
  }

  #grow(): void {
    const larger: (HeaderField | undefined)[] = new Array(this.#ring.length * 2);
    for (let index = 0; index < this.#count; index++) larger[this.#count - 1 - index] = this.get(index);
    this.#newest = this.#count - 1;
    this.#ring = larger;
  }
}
