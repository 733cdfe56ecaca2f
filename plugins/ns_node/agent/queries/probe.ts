import { Buffer } from "node:buffer";
import { endianness } from "node:os";
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

/** The positions of fields in what the module probe of Knot sends (libknot/probe/data.h), in the order of the machine. */
const POSITIONS = { responseBytes: 50, code: 52, type: 84, nameBytes: 86, name: 87 } as const;
/** Transfers of zones are no questions of clients. */
const TRANSFERS: readonly number[] = [251, 252];
const isLittle = endianness() === "LE";

/** Returns the query of a datagram, or undefined if it is none that counts. */
export function queryOf(datagram: Buffer, at: number): Query | undefined {
  if (datagram.length <= POSITIONS.name) return undefined;
  const number = (position: number) => isLittle ? datagram.readUInt16LE(position) : datagram.readUInt16BE(position);
  const [bytes, type] = [number(POSITIONS.responseBytes), number(POSITIONS.type)];
  const name = nameOf(datagram.subarray(POSITIONS.name, POSITIONS.name + datagram[POSITIONS.nameBytes]!));
  // 0 bytes are a query that Knot did not respond to
  if (bytes === 0 || TRANSFERS.includes(type) || name === undefined) return undefined;
  return { name, bytes, at, type: typeName(type), code: codeName(number(POSITIONS.code)) };
}

/** Reads a name in the format of DNS (RFC 1035, section 3.1). */
function nameOf(bytes: Buffer): string | undefined {
  const labels: string[] = [];
  let position = 0;
  for (let length = bytes[position]; length !== 0; length = bytes[position]) {
    if (length === undefined || length > 63) return undefined;
    labels.push(labelText(bytes.subarray(position + 1, position + 1 + length)));
    position += 1 + length;
  }
  return labels.join(".");
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
