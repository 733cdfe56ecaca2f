import { malformed } from "./error.ts";
import { readFields } from "./request_head.ts";

/** Matches the size of a chunk and its extensions, which are ignored. */
const SIZE_LINE = /^([0-9A-Fa-f]{1,13})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?$/;
/** The maximum length of a size line or a trailer, in bytes. */
const MAX_LINE = 4096;
/** The maximum total length of the trailers, in bytes. */
const MAX_TRAILERS = 16_384;
const MAX_TRAILER_FIELDS = 100;
const LF = 0x0a;

/** Decodes a chunked body (RFC 9112, section 7.1), in whatever pieces it arrives. */
export class ChunkedBody {
  #state: "size" | "data" | "end of data" | "trailers" | "done" = "size";
  #line = "";
  #trailers = "";
  /** The bytes of the current chunk that have not arrived. */
  #remaining = 0;

  get isDone(): boolean {
    return this.#state === "done";
  }

  /**
   * Decodes bytes from `at` on. The content of the chunks is compacted in place, so that many small chunks do not cost
   * an object each.
   *
   * @param part receives the decoded content, once at most
   * @returns the end of the bytes, or the offset after the end of the body
   * @throws HttpError
   */
  take(bytes: Uint8Array, at: number, part: (bytes: Uint8Array) => void): number {
    let from = -1;
    let to = -1;
    while (at < bytes.length && this.#state !== "done") {
      if (this.#state === "data") {
        const end = Math.min(bytes.length, at + this.#remaining);
        if (from === -1) from = to = at;
        if (to !== at) bytes.copyWithin(to, at, end);
        to += end - at;
        this.#remaining -= end - at;
        at = end;
        if (this.#remaining === 0) this.#state = "end of data";
      } else {
        const end = bytes.indexOf(LF, at) + 1 || bytes.length;
        this.#takeLine(bytes.subarray(at, end));
        at = end;
      }
    }
    if (to > from) part(bytes.subarray(from, to));
    return at;
  }

  #takeLine(bytes: Uint8Array): void {
    if (this.#line.length + bytes.length > MAX_LINE) throw malformed("a chunk header is too long");
    this.#line += String.fromCharCode(...bytes);
    const cr = this.#line.indexOf("\r");
    if (cr !== -1 && cr < this.#line.length - 1 && this.#line[cr + 1] !== "\n") {
      throw malformed("a chunk header has an invalid line end");
    }
    if (bytes.at(-1) === LF) this.#endLine();
  }

  #endLine(): void {
    const line = this.#line.slice(0, -2);
    if (!this.#line.endsWith("\r\n")) throw malformed("a chunk header has an invalid line end");
    this.#line = "";
    if (this.#state === "end of data") {
      if (line !== "") throw malformed("a chunk is longer than its size");
      this.#state = "size";
    } else if (this.#state === "size") {
      const size = SIZE_LINE.exec(line)?.[1];
      if (size === undefined) throw malformed("a chunk has an invalid size");
      this.#remaining = Number.parseInt(size, 16);
      this.#state = this.#remaining === 0 ? "trailers" : "data";
    } else if (line === "") {
      // The trailers are not used, but an invalid one may be a smuggled request.
      readFields(this.#trailers, 0, MAX_TRAILER_FIELDS);
      this.#state = "done";
    } else {
      this.#trailers += this.#trailers === "" ? line : `\r\n${line}`;
      if (this.#trailers.length > MAX_TRAILERS) throw malformed("the trailers are too long");
    }
  }
}
