import type { NSRecordContent } from "../ns_record/contract.ts";
import { textOf } from "./escapes.ts";
import { shown, ZoneError } from "./fault.ts";
import type { Token } from "./lexer.ts";
import { wholeName } from "./names.ts";
import { ttlOf } from "./ttl.ts";

export type Data = Omit<NSRecordContent, "name" | "ttl" | "type">;

type Read = (tokens: readonly Token[], origin: string) => Partial<Data>;

const BLANK: Data = { value: "", mxPriority: 0, srvPriority: 0, srvWeight: 0, srvPort: 0, caaFlag: 0, caaTag: "" };

const READS: Readonly<Record<string, { readonly form: string; readonly least: number; readonly read: Read }>> = {
  A: { form: "an address", least: 1, read: ([address]) => ({ value: address!.text }) },
  AAAA: { form: "an address", least: 1, read: ([address]) => ({ value: address!.text }) },
  CNAME: { form: "a name", least: 1, read: host },
  NS: { form: "a name", least: 1, read: host },
  PTR: { form: "a name", least: 1, read: host },
  MX: {
    form: "a preference and a name",
    least: 2,
    read: ([preference, name], origin) => ({ mxPriority: number(preference!), value: wholeName(name!, origin) }),
  },
  SRV: {
    form: "a priority, a weight, a port and a name",
    least: 4,
    read: ([priority, weight, port, name], origin) => ({
      srvPriority: number(priority!),
      srvWeight: number(weight!),
      srvPort: number(port!),
      value: wholeName(name!, origin),
    }),
  },
  CAA: {
    form: "flags, a tag and a value",
    least: 3,
    read: ([flag, tag, value]) => ({
      caaFlag: number(flag!),
      caaTag: textOf([tag!.text]),
      value: textOf([value!.text]),
    }),
  },
  TXT: { form: "strings", least: 1, read: (strings) => ({ value: textOf(strings.map(({ text }) => text)) }) },
  SOA: {
    form: "a server, a mailbox, a serial and four times",
    least: 7,
    read: ([server, mailbox, serial, ...times], origin) => {
      const names = [wholeName(server!, origin), wholeName(mailbox!, origin)];
      return { value: [...names, number(serial!), ...times.map(({ text }) => ttlOf(text))].join(" ") };
    },
  },
  HTTPS: { form: "a priority, a name and parameters", least: 2, read: binding },
  SVCB: { form: "a priority, a name and parameters", least: 2, read: binding },
};

/** Whether records of a type can be imported. */
export function isSupported(type: string): boolean {
  return Object.hasOwn(READS, type);
}

/** What the words after the type of a record say. */
export function dataOf(type: string, tokens: readonly Token[], origin: string): Data {
  const { form, least, read } = READS[type]!;
  const isOpen = read === binding || type === "TXT";
  if (tokens.length < least || !isOpen && tokens.length > least) {
    throw new ZoneError(`${type} must have ${form}, got ${tokens.length} words`);
  }
  if (tokens[0]!.text === "\\#") throw new ZoneError(`${type} must have ${form}; data in hexadecimal is not supported`);
  return { ...BLANK, ...read(tokens, origin) };
}

function host([name]: readonly Token[], origin: string): Partial<Data> {
  return { value: wholeName(name!, origin) };
}

function binding([priority, target, ...parameters]: readonly Token[], origin: string): Partial<Data> {
  const words = parameters.map(({ text }) => textOf([text]));
  const spaced = words.find((word) => /\s/.test(word));
  if (spaced !== undefined) throw new ZoneError(`the parameter ${shown(spaced)} must not have white space`);
  const name = wholeName(target!, origin);
  return { value: [number(priority!), name, ...words].join(" ") };
}

function number({ text }: Token): number {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new ZoneError(`${shown(text)} is not a number below 2^32`);
}
