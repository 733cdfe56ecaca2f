import { ipKey } from "../../http_access_log/contract/ip_key.ts";
import { MAX_SEARCHED } from "../../http_access_log/contract/log_fields.ts";
import { ipv4, writeIpv6 } from "../rows/addresses.ts";
import { NUMBERS, type RowScan, TEXTS } from "../rows/row_scan.ts";

/** The columns by which rows of a segment are found without reading them. */
export const COLUMNS = [
  ...NUMBERS,
  "userId",
  "nodeClusterId",
  "ip",
  "host",
  "scheme",
  "proto",
  "requestMethod",
  "requestPath",
  "referer",
  "userAgent",
  "tags",
] as const;
export type Column = (typeof COLUMNS)[number];

/** An upper bound for MAX_SEARCHED characters in UTF-8. */
const MAX_BYTES = 6000;
const KEY_BYTES = 16;
const COLON = 58;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Encodes an integer as eight bytes that sort as integers do. */
export function numberTerm(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  writeNumber(bytes, Number(value & 0xffff_ffffn), Number(value >> 32n & 0xffff_ffffn));
  return bytes;
}

function writeNumber(bytes: Uint8Array, low: number, high: number): void {
  const flipped = high ^ 0x80000000;
  for (let at = 0; at < 4; at++) {
    bytes[at] = flipped >>> 24 - at * 8;
    bytes[at + 4] = low >>> 24 - at * 8;
  }
}

/**
 * Encodes the prefix of an address term: 1 and the 16 bytes of the key. The text of the address follows, unless it is
 * dotted IPv4. The term of a text that is not an address is 0 and the text.
 */
export function ipTerm(key: string): Uint8Array {
  const bytes = new Uint8Array(KEY_BYTES + 1);
  bytes[0] = 1;
  for (let at = 0; at < KEY_BYTES; at++) bytes[at + 1] = Number.parseInt(key.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}

/** Decodes the text of an address from its term. */
export function ipText(term: Uint8Array): string {
  if (term[0] === 1 && term.length === KEY_BYTES + 1) return term.subarray(KEY_BYTES - 3).join(".");
  return decoder.decode(term.subarray(term[0] === 1 ? KEY_BYTES + 1 : 1));
}

export function textTerm(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Receives the terms of a row; zero and empty values have no terms. */
export type TermSink = (column: number, bytes: Uint8Array, from: number, to: number) => void;

const AT = Object.fromEntries(COLUMNS.map((name, index) => [name, index])) as Record<Column, number>;
const TEXT_AT = Object.fromEntries(TEXTS.map((name, index) => [name, index])) as Record<(typeof TEXTS)[number], number>;
const PLAIN_TEXTS = (["scheme", "proto", "requestMethod", "requestPath", "referer", "userAgent"] as const).map((name) =>
  [AT[name], TEXT_AT[name]] as const
);
const STATUS = NUMBERS.indexOf("status");
const scratch = new Uint8Array(8);

/** Passes the terms of a scanned log to `sink`; `owner` is the halves of userId and nodeClusterId. */
export function termsOf(scan: RowScan, bytes: Uint8Array, owner: Uint32Array, sink: TermSink): void {
  for (let index = 0; index < NUMBERS.length; index++) {
    // a status has 32 bits, whatever the varint contains
    const high = index === STATUS ? (scan.low[index]! >>> 31 === 1 ? 0xffffffff : 0) : scan.high[index]!;
    numeric(index, scan.low[index]!, high, sink);
  }
  numeric(AT.userId, owner[0]!, owner[1]!, sink);
  numeric(AT.nodeClusterId, owner[2]!, owner[3]!, sink);
  const [ipFrom, ipTo] = [scan.from[TEXT_AT.remoteAddr]!, scan.to[TEXT_AT.remoteAddr]!];
  if (ipFrom < ipTo) addressTerm(bytes, ipFrom, ipTo, sink);
  const [hostFrom, hostTo] = [scan.from[TEXT_AT.host]!, scan.to[TEXT_AT.host]!];
  if (hostFrom < hostTo) hostTerm(bytes, hostFrom, hostTo, sink);
  for (const [column, text] of PLAIN_TEXTS) {
    const from = scan.from[text]!;
    const to = Math.min(scan.to[text]!, from + MAX_BYTES);
    if (from < to) sink(column, bytes, from, to);
  }
  const { tags } = scan;
  for (let at = 0; at < tags.length; at += 2) {
    sink(AT.tags, bytes, tags[at]!, Math.min(tags[at + 1]!, tags[at]! + MAX_BYTES));
  }
}

function numeric(column: number, low: number, high: number, sink: TermSink): void {
  if (low === 0 && high === 0) return;
  writeNumber(scratch, low, high);
  sink(column, scratch, 0, 8);
}

const address = new Uint8Array(KEY_BYTES + 1 + MAX_BYTES);
const NO_ADDRESS = Uint8Array.of(0);

function addressTerm(bytes: Uint8Array, from: number, to: number, sink: TermSink): void {
  const at = writeKey(bytes, from, to);
  const isPlain = at < 0;
  const length = isPlain ? 0 : Math.min(to - from, MAX_BYTES);
  for (let index = 0; index < length; index++) address[at + index] = bytes[from + index]!;
  sink(AT.ip, address, 0, isPlain ? KEY_BYTES + 1 : at + length);
}

/** Writes the prefix of an address term; returns its length, or -1 if no text follows it. */
function writeKey(bytes: Uint8Array, from: number, to: number): number {
  const number = ipv4(bytes, from, to);
  if (number >= 0) {
    address.fill(0, 1, 11);
    address[0] = 1;
    address[11] = address[12] = 0xff;
    for (let at = 0; at < 4; at++) address[13 + at] = number / 2 ** (24 - at * 8) & 255;
    return -1;
  }
  if (writeIpv6(bytes, from, to, address, 1)) address[0] = 1;
  else {
    const key = to - from > MAX_BYTES ? undefined : ipKey(decoder.decode(bytes.subarray(from, to)));
    address.set(key === undefined ? NO_ADDRESS : ipTerm(key));
  }
  return address[0] === 0 ? 1 : KEY_BYTES + 1;
}

const host = new Uint8Array(MAX_BYTES);

/** Passes the term of a host to `sink`: in lower case, without the port. */
export function hostTerm(bytes: Uint8Array, from: number, to: number, sink: TermSink): void {
  let [end, digits] = [to, 0];
  let isPlain = to - from <= 255;
  for (let at = from; isPlain && at < to; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80) isPlain = false;
    host[at - from] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
    if (byte === COLON) [end, digits] = [at, 0];
    else if (byte >= 48 && byte <= 57) digits++;
    else [end, digits] = [to, -256];
  }
  if (isPlain) return sink(AT.host, host, 0, (end < to && digits > 0 ? end : to) - from);
  const text = decoder.decode(bytes.subarray(from, to)).slice(0, MAX_SEARCHED).toLowerCase().replace(/:\d+$/, "");
  const plain = encoder.encode(text.toWellFormed());
  sink(AT.host, plain, 0, plain.length);
}
