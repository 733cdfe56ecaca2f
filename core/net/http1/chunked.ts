import { malformed } from "./error.ts";
import { readFields } from "./request_head.ts";

/** A chunk's size, and extensions that nobody asked for. */
const SIZE_LINE = /^([0-9A-Fa-f]{1,13})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?$/;
/** Extensions and trailers may not be longer. */
const MAX_LINE = 4096;
const MAX_TRAILERS = 16_384;
const MAX_TRAILER_FIELDS = 100;
const LF = 0x0a;

/** Takes the body out of its chunks (RFC 9112, section 7.1), however they are cut on their way. */
export class ChunkedBody {
  #state: "size" | "data" | "end of data" | "trailers" | "done" = "size";
  #line = "";
  #trailers = "";
  #left = 0;

  get isDone(): boolean {
    return this.#state === "done";
  }

  /**
   * Takes bytes from `at` on, and answers where it stopped: at the end of the bytes, or behind the end of the body. What
   * it finds of the body is moved together in `bytes`: a client that sends many small chunks must not cost an object
   * for each.
   *
   * @throws HttpError
   */
  take(bytes: Uint8Array, at: number, part: (bytes: Uint8Array) => void): number {
    let from = -1;
    let to = -1;
    while (at < bytes.length && this.#state !== "done") {
      if (this.#state === "data") {
        const end = Math.min(bytes.length, at + this.#left);
        if (from === -1) from = to = at;
        if (to !== at) bytes.copyWithin(to, at, end);
        to += end - at;
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#state = "end of data";
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
    if (this.#line.length + bytes.length > MAX_LINE) throw malformed("a line of the chunks is too long");
    this.#line += String.fromCharCode(...bytes);
    const cr = this.#line.indexOf("\r");
    if (cr !== -1 && cr < this.#line.length - 1 && this.#line[cr + 1] !== "\n") {
      throw malformed("a line end within the chunks");
    }
    if (bytes.at(-1) === LF) this.#endLine();
  }

  #endLine(): void {
    const line = this.#line.slice(0, -2);
    if (!this.#line.endsWith("\r\n")) throw malformed("a line end within the chunks");
    this.#line = "";
    if (this.#state === "end of data") {
      if (line !== "") throw malformed("a chunk is longer than its size");
      this.#state = "size";
    } else if (this.#state === "size") {
      const size = SIZE_LINE.exec(line)?.[1];
      if (size === undefined) throw malformed("the size of a chunk");
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? "trailers" : "data";
    } else if (line === "") {
      // Nothing here reads them, but what is no field may be another request.
      readFields(this.#trailers, 0, MAX_TRAILER_FIELDS);
      this.#state = "done";
    } else {
      this.#trailers += this.#trailers === "" ? line : `\r\n${line}`;
      if (this.#trailers.length > MAX_TRAILERS) throw malformed("the trailers are too long");
    }
  }
}
