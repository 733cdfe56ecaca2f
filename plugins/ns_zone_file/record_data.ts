import type { NSRecordContent } from "../ns_record/contract.ts";
import { textOf } from "./escapes.ts";
import type { Token } from "./lexer.ts";
import { absoluteName } from "./names.ts";
import { ttlOf } from "./ttl.ts";
import { excerpt, ZoneError } from "./zone_error.ts";

/** The type-specific data of a record. */
export type Data = Omit<NSRecordContent, "name" | "ttl" | "type">;

type ReadData = (tokens: readonly Token[], origin: string) => Partial<Data>;

interface Format {
  /** The words after the type, for error messages. */
  readonly description: string;
  /** The minimum number of words. */
  readonly minWords: number;
  readonly read: ReadData;
}

const EMPTY: Data = { value: "", mxPriority: 0, srvPriority: 0, srvWeight: 0, srvPort: 0, caaFlag: 0, caaTag: "" };

const FORMATS: Readonly<Record<string, Format>> = {
  A: { description: "an address", minWords: 1, read: ([address]) => ({ value: address!.text }) },
  AAAA: { description: "an address", minWords: 1, read: ([address]) => ({ value: address!.text }) },
  CNAME: { description: "a name", minWords: 1, read: host },
  NS: { description: "a name", minWords: 1, read: host },
  PTR: { description: "a name", minWords: 1, read: host },
  MX: {
    description: "a preference and a name",
    minWords: 2,
    read: ([preference, name], origin) => ({ mxPriority: number(preference!), value: absoluteName(name!, origin) }),
  },
  SRV: {
    description: "a priority, a weight, a port and a name",
    minWords: 4,
    read: ([priority, weight, port, name], origin) => ({
      srvPriority: number(priority!),
      srvWeight: number(weight!),
      srvPort: number(port!),
      value: absoluteName(name!, origin),
    }),
  },
  CAA: {
    description: "flags, a tag and a value",
    minWords: 3,
    read: ([flag, tag, value]) => ({
      caaFlag: number(flag!),
      caaTag: textOf([tag!.text]),
      value: textOf([value!.text]),
    }),
  },
  TXT: { description: "strings", minWords: 1, read: (strings) => ({ value: textOf(strings.map(({ text }) => text)) }) },
  SOA: {
    description: "a server, a mailbox, a serial and four times",
    minWords: 7,
    read: ([server, mailbox, serial, ...times], origin) => {
      const names = [absoluteName(server!, origin), absoluteName(mailbox!, origin)];
      return { value: [...names, number(serial!), ...times.map(({ text }) => ttlOf(text))].join(" ") };
    },
  },
  HTTPS: { description: "a priority, a name and parameters", minWords: 2, read: binding },
  SVCB: { description: "a priority, a name and parameters", minWords: 2, read: binding },
};

/** Returns true if records of the type can be imported. */
export function isSupported(type: string): boolean {
  return Object.hasOwn(FORMATS, type);
}

/** Reads the words after the type of a record. */
export function dataOf(type: string, tokens: readonly Token[], origin: string): Data {
  const { description, minWords, read } = FORMATS[type]!;
  const isVariadic = read === binding || type === "TXT";
  if (tokens.length < minWords || !isVariadic && tokens.length > minWords) {
    throw new ZoneError(`${type} must have ${description}, got ${tokens.length} words`);
  }
  if (tokens[0]!.text === "\\#") {
    throw new ZoneError(`${type} must have ${description}; hexadecimal data is not supported`);
  }
  return { ...EMPTY, ...read(tokens, origin) };
}

function host([name]: readonly Token[], origin: string): Partial<Data> {
  return { value: absoluteName(name!, origin) };
}

function binding([priority, target, ...parameters]: readonly Token[], origin: string): Partial<Data> {
  const words = parameters.map(({ text }) => textOf([text]));
  const invalid = words.find((word) => /\s/.test(word));
  if (invalid !== undefined) throw new ZoneError(`the parameter ${excerpt(invalid)} must not contain white space`);
  const name = absoluteName(target!, origin);
  return { value: [number(priority!), name, ...words].join(" ") };
}

function number({ text }: Token): number {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new ZoneError(`${excerpt(text)} is not a number below 2^32`);
}
