import { Buffer } from "node:buffer";

const BITS = 32;
const SEPARATOR = 16;
const [STRING, UINT16, UINT32, MAP, UINT64, ARRAY] = [2, 5, 6, 7, 9, 11] as const;
const MARKER = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from("MaxMind.com")]);

/**
 * Makes a database in MaxMind's format (version 2.0) that knows the countries of some IPv4 networks.
 *
 * @param networks networks such as 192.0.2.0/24 that do not overlap, with the codes of their countries
 */
export function countryDatabase(networks: Readonly<Record<string, string>>): Uint8Array {
  const nodes: (number | string | undefined)[][] = [[undefined, undefined]];
  for (const [network, country] of Object.entries(networks)) {
    const [address = "", length = ""] = network.split("/");
    const number = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
    let node = 0;
    for (let depth = 0; depth < Number(length); depth++) {
      const bit = Math.floor(number / 2 ** (BITS - 1 - depth)) % 2;
      if (depth === Number(length) - 1) nodes[node]![bit] = country;
      else {
        if (typeof nodes[node]![bit] !== "number") nodes[node]![bit] = nodes.push([undefined, undefined]) - 1;
        node = nodes[node]![bit] as number;
      }
    }
  }
  const offsets = new Map<string, number>();
  let data = Buffer.alloc(0);
  for (const country of new Set(Object.values(networks))) {
    offsets.set(country, data.length);
    data = Buffer.concat([data, map({ country: map({ iso_code: text(country) }) })]);
  }
  const tree = Buffer.concat(
    nodes.flat().map((record) => {
      const value = typeof record === "string"
        ? nodes.length + SEPARATOR + offsets.get(record)!
        : record ?? nodes.length;
      return Buffer.from([value >> 16, value >> 8, value].map((byte) => byte & 0xff));
    }),
  );
  const metadata = map({
    binary_format_major_version: number(UINT16, 2),
    binary_format_minor_version: number(UINT16, 0),
    build_epoch: number(UINT64, 1),
    database_type: text("Test-Country"),
    description: map({ en: text("test") }),
    ip_version: number(UINT16, 4),
    languages: control(ARRAY, 0),
    node_count: Buffer.concat([control(UINT32, 2), Buffer.from([nodes.length >> 8, nodes.length & 0xff])]),
    record_size: number(UINT16, 24),
  });
  return Buffer.concat([tree, Buffer.alloc(SEPARATOR), data, MARKER, metadata]);
}

function control(type: number, size: number): Buffer {
  return type <= MAP ? Buffer.from([type << 5 | size]) : Buffer.from([size, type - MAP]);
}

function text(value: string): Buffer {
  return Buffer.concat([control(STRING, value.length < 29 ? value.length : 29), ...extra(value), Buffer.from(value)]);
}

function extra({ length }: string): Buffer[] {
  return length < 29 ? [] : [Buffer.from([length - 29])];
}

function map(entries: Readonly<Record<string, Buffer>>): Buffer {
  const pairs = Object.entries(entries);
  return Buffer.concat([control(MAP, pairs.length), ...pairs.flatMap(([key, value]) => [text(key), value])]);
}

function number(type: number, value: number): Buffer {
  return Buffer.concat([control(type, 1), Buffer.from([value])]);
}
