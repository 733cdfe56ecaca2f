import { Buffer } from "node:buffer";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { codeName, typeName } from "./names.ts";

/** A query that Knot responded to. Who asked is not read. */
export interface Query {
  /** The name in lower case, without a final dot. */
  readonly name: string;
  /** Such as AAAA. */
  readonly type: string;
  /** Such as NXDOMAIN. */
  readonly code: string;
  /** The size of the response. */
  readonly bytes: number;
  /** The time of the response, in Unix seconds. */
  readonly at: number;
}

/** The numbers of fields of dnstap.Dnstap and dnstap.Message, and the type of what a server of zones responds. */
const MESSAGE = 14;
const TYPE = 1;
const RESPONSE_SECONDS = 12;
const RESPONSE = 14;
const AUTH_RESPONSE = 2;

const HEADER_BYTES = 12;
/** Transfers of zones are no questions of clients. */
const TRANSFERS: readonly number[] = [251, 252];

/** Returns the query of a frame of dnstap, or undefined if it is none that counts. */
export function queryOf(frame: Uint8Array, now: number): Query | undefined {
  const message = bytesOf(frame, MESSAGE);
  if (message === undefined) return undefined;
  const reader = new BinaryReader(message);
  let [type, at, response]: [number, number, Uint8Array | undefined] = [0, 0, undefined];
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === TYPE) type = reader.uint32();
    else if (field === RESPONSE_SECONDS) at = Number(reader.uint64());
    else if (field === RESPONSE) response = reader.bytes();
    else reader.skip(wireType, field);
  }
  if (type !== AUTH_RESPONSE || response === undefined) return undefined;
  return questionOf(response, at || now);
}

function bytesOf(frame: Uint8Array, wanted: number): Uint8Array | undefined {
  const reader = new BinaryReader(frame);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === wanted) return reader.bytes();
    reader.skip(wireType, field);
  }
  return undefined;
}

/** Reads the question of a response in the format of DNS (RFC 1035, section 4). */
function questionOf(response: Uint8Array, at: number): Query | undefined {
  const bytes = Buffer.from(response.buffer, response.byteOffset, response.length);
  if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let position = HEADER_BYTES;
  for (let length = bytes[position]; length !== 0; length = bytes[position]) {
    // a question is not compressed
    if (length === undefined || length > 63 || position + 1 + length > bytes.length) return undefined;
    labels.push(labelText(bytes.subarray(position + 1, position + 1 + length)));
    position += 1 + length;
  }
  if (position + 5 > bytes.length) return undefined;
  const type = bytes.readUInt16BE(position + 1);
  if (TRANSFERS.includes(type)) return undefined;
  return {
    name: labels.join("."),
    type: typeName(type),
    code: codeName(bytes[3]! & 15),
    bytes: bytes.length,
    at,
  };
}

/** Returns a label in lower case as zone files have it: what is no letter, digit, hyphen or underscore is escaped. */
function labelText(label: Buffer): string {
  let text = "";
  for (const byte of label) {
    const character = String.fromCharCode(byte);
    text += /[A-Za-z0-9_*-]/.test(character) ? character.toLowerCase() : `\\${String(byte).padStart(3, "0")}`;
  }
  return text;
}
