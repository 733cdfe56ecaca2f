import { HttpError, malformed, tooLarge } from "./error.ts";

/** The request line and the header fields of a request. */
export interface RequestHead {
  readonly method: string;
  /** The request target, verbatim. */
  readonly target: string;
  /** True for HTTP/1.0, which has no chunked coding, and whose connections close by default. */
  readonly isHttp10: boolean;
  /** The values by lower-case names; the values of a repeated field are joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  /** The length of the body in bytes; undefined if the body is chunked. */
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
/** Matches control characters other than tab. */
// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/;
/** Matches control characters other than tab, CR and LF. */
// deno-lint-ignore no-control-regex
const CONTROL_IN_HEAD = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;
const LENGTH = /^\d{1,15}$/;

const BARE_LINE_END = /[^\r]\n|\r[^\n]/;

/** Returns the length of the head at the start of `text`, including its empty line, or 0 if it is incomplete. */
export function endOfHead(text: string, { headerBytes }: HeadLimits): number {
  const at = text.indexOf(END);
  if (at > headerBytes || at === -1 && text.length > headerBytes) {
    throw tooLarge(`the headers are larger than the limit of ${headerBytes} bytes`);
  }
  if (at >= 0) return at + END.length;
  // Binary data, such as a TLS handshake, would never end.
  if (CONTROL_IN_HEAD.test(text)) throw malformed("a control character in the headers");
  // Nor would a head with other line ends.
  if (BARE_LINE_END.test(text)) throw malformed("a line that does not end in CR LF");
  return 0;
}

/**
 * Parses the head of a request strictly (RFC 9112). A head that other servers might interpret differently, such as one
 * with two lengths, is refused: it could smuggle a request.
 *
 * @param text the head without its empty line
 * @throws HttpError
 */
export function readHead(text: string, { headerCount }: HeadLimits): RequestHead {
  const endOfLine = text.indexOf("\r\n");
  const line = REQUEST_LINE.exec(endOfLine === -1 ? text : text.slice(0, endOfLine));
  if (line === null) throw malformed("the request line is invalid");
  const [, method = "", target = "", major, minor] = line;
  if (major !== "1") throw new HttpError(505, "kernel.malformed", "this port serves HTTP/1.1");
  const headers = endOfLine === -1 ? new Map<string, string>() : readFields(text, endOfLine + 2, headerCount);
  const isHttp10 = minor === "0";
  const host = headers.get("host");
  if (host === undefined ? !isHttp10 : !HOST.test(host)) throw malformed("there must be exactly one valid host");
  const connection = headers.get("connection")?.toLowerCase() ?? "";
  return {
    method,
    target,
    isHttp10,
    headers,
    bodyLength: bodyLength(headers, isHttp10),
    keepsAlive: isHttp10 ? hasToken(connection, "keep-alive") : !hasToken(connection, "close"),
    expectsContinue: !isHttp10 && expectsContinue(headers.get("expect")),
  };
}

/** Parses the header or trailer fields that begin at `at`. */
export function readFields(text: string, at: number, maxCount: number): Map<string, string> {
  const fields = new Map<string, string>();
  let count = 0;
  while (at < text.length) {
    let end = text.indexOf("\r\n", at);
    if (end === -1) end = text.length;
    const colon = text.indexOf(":", at);
    if (colon <= at || colon > end) throw malformed("a header without a name");
    const name = text.slice(at, colon);
    // Servers differ in their treatment of a space before the colon and of folded lines.
    if (!NAME.test(name)) throw malformed("the name of a header is invalid");
    const value = trim(text, colon + 1, end);
    if (CONTROL.test(value)) throw malformed("a control character in a header");
    if (++count > maxCount) throw tooLarge(`the request has more headers than the limit of ${maxCount}`);
    const key = name.toLowerCase();
    const previous = fields.get(key);
    fields.set(key, previous === undefined ? value : `${previous}, ${value}`);
    at = end + 2;
  }
  return fields;
}

/** Removes spaces and tabs, but no other white space, from both ends. */
function trim(text: string, from: number, to: number): string {
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Returns the length of the body (RFC 9112, section 6.3), or undefined if it is chunked. */
function bodyLength(headers: ReadonlyMap<string, string>, isHttp10: boolean): number | undefined {
  const length = headers.get("content-length");
  const coding = headers.get("transfer-encoding");
  if (coding !== undefined) {
    if (length !== undefined || isHttp10) throw malformed("transfer-encoding is not allowed here");
    if (coding.toLowerCase() === "chunked") return undefined;
    throw new HttpError(501, "kernel.unsupported", "transfer-encoding: must be chunked");
  }
  if (length === undefined) return 0;
  if (!LENGTH.test(length)) throw malformed("content-length is invalid");
  return Number(length);
}

function expectsContinue(expectation: string | undefined): boolean {
  if (expectation === undefined) return false;
  if (expectation.toLowerCase() === "100-continue") return true;
  throw new HttpError(417, "kernel.unsupported", "expect: must be 100-continue");
}

function hasToken(list: string, token: string): boolean {
  return list === token || list !== "" && list.split(",").some((item) => item.trim() === token);
}
