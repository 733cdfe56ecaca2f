import { HttpError, malformed, tooLarge } from "./error.ts";

/** What a request says before its body. */
export interface RequestHead {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  /** HTTP/1.0, which knows no chunks, and closes unless it is told otherwise. */
  readonly isOld: boolean;
  /** By names in small letters; the values of a name that came more than once are joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body's bytes; undefined when it comes in chunks. */
  readonly bodyLength: number | undefined;
  readonly keepsAlive: boolean;
  readonly expectsContinue: boolean;
}

export interface HeadLimits {
  readonly headerBytes: number;
  readonly headerCount: number;
}

const END = "\r\n\r\n";
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([\x21-\x7e]+) HTTP\/(\d)\.(\d)$/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What a line may not hold: controls but the tab. Line ends were taken off. */
// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/;
/** The same in text that still has its line ends. */
// deno-lint-ignore no-control-regex
const FOREIGN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;
const LENGTH = /^\d{1,15}$/;

const BARE_LINE_END = /[^\r]\n|\r[^\n]/;

/** Where the head ends in text that begins with it, its empty line included; 0 when more must come. */
export function endOfHead(text: string, { headerBytes }: HeadLimits): number {
  const at = text.indexOf(END);
  if (at > headerBytes || at === -1 && text.length > headerBytes) {
    throw tooLarge("the headers are larger than this server allows");
  }
  if (at >= 0) return at + END.length;
  // What is no text, such as a TLS handshake, would never have an end.
  if (FOREIGN.test(text)) throw malformed("a control character in the headers");
  // Nor would what ends its lines in another way.
  if (BARE_LINE_END.test(text)) throw malformed("a line that does not end in CR LF");
  return 0;
}

/**
 * Reads the head of a request, line by line and strictly (RFC 9112): what other servers in a row may read otherwise,
 * such as two lengths, is refused.
 *
 * @param text the head without its empty line
 * @throws HttpError
 */
export function readHead(text: string, { headerCount }: HeadLimits): RequestHead {
  const endOfLine = text.indexOf("\r\n");
  const line = REQUEST_LINE.exec(endOfLine === -1 ? text : text.slice(0, endOfLine));
  if (line === null) throw malformed("the request line");
  const [, method = "", target = "", major, minor] = line;
  if (major !== "1") throw new HttpError(505, "kernel.malformed", "this port speaks HTTP/1.1");
  const headers = endOfLine === -1 ? new Map<string, string>() : readFields(text, endOfLine + 2, headerCount);
  const isOld = minor === "0";
  const host = headers.get("host");
  if (host === undefined ? !isOld : !HOST.test(host)) throw malformed("there must be one host");
  const connection = headers.get("connection")?.toLowerCase() ?? "";
  return {
    method,
    target,
    isOld,
    headers,
    bodyLength: bodyLength(headers, isOld),
    keepsAlive: isOld ? hasToken(connection, "keep-alive") : !hasToken(connection, "close"),
    expectsContinue: !isOld && expectsContinue(headers.get("expect")),
  };
}

/** The header fields, or the trailer fields, that begin at `at`. */
export function readFields(text: string, at: number, most: number): Map<string, string> {
  const fields = new Map<string, string>();
  let count = 0;
  while (at < text.length) {
    let end = text.indexOf("\r\n", at);
    if (end === -1) end = text.length;
    const colon = text.indexOf(":", at);
    if (colon <= at || colon > end) throw malformed("a header without a name");
    const name = text.slice(at, colon);
    // A space before the colon, or a line that goes on from the one before, is where servers differ.
    if (!NAME.test(name)) throw malformed("the name of a header");
    const value = trimmed(text, colon + 1, end);
    if (CONTROL.test(value)) throw malformed("a control character in a header");
    if (++count > most) throw tooLarge(`the request has more headers than the limit of ${most}`);
    const key = name.toLowerCase();
    const other = fields.get(key);
    fields.set(key, other === undefined ? value : `${other}, ${value}`);
    at = end + 2;
  }
  return fields;
}

/** Without the spaces and tabs at both ends, and only those. */
function trimmed(text: string, from: number, to: number): string {
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** How long the body is (RFC 9112, section 6.3); a request without either header has none. */
function bodyLength(headers: ReadonlyMap<string, string>, isOld: boolean): number | undefined {
  const length = headers.get("content-length");
  const coding = headers.get("transfer-encoding");
  if (coding !== undefined) {
    if (length !== undefined || isOld) throw malformed("transfer-encoding where it must not be");
    if (coding.toLowerCase() === "chunked") return undefined;
    throw new HttpError(501, "kernel.unsupported", "transfer-encoding: must be chunked");
  }
  if (length === undefined) return 0;
  if (!LENGTH.test(length)) throw malformed("content-length");
  return Number(length);
}

function expectsContinue(expectation: string | undefined): boolean {
  if (expectation === undefined) return false;
  if (expectation.toLowerCase() === "100-continue") return true;
  throw new HttpError(417, "kernel.unsupported", "expect: must be 100-continue");
}

function hasToken(list: string, token: string): boolean {
  return list === token || list !== "" && list.split(",").some((one) => one.trim() === token);
}
