import type { NSRecordContent } from "../ns_record/contract.ts";
import type { ZoneLine } from "./contract.ts";
import { quotedString, quotedStrings } from "./escapes.ts";

/** A record to write. */
export interface RecordToWrite extends NSRecordContent {
  readonly isOn: boolean;
  readonly routeCodes: readonly string[];
}

const DEFAULT_TTL = 600;
const APEX = "@";
const FIRST_TYPES = ["SOA", "NS"];

/** Returns the zone file of a domain. The text does not depend on the order of the records. */
export function writeZone(domain: string, records: readonly RecordToWrite[]): string {
  const lines = records.map((record) => ({ note: noteOf(record), order: orderOf(record), text: textOf(record) }))
    .sort((a, b) => compare(a.order, b.order) || compare(a.text, b.text) || compare(a.note, b.note));
  const comments = lines.filter(({ note }) => note !== "");
  return [
    `$ORIGIN ${domain}.`,
    `$TTL ${DEFAULT_TTL}`,
    ...lines.filter(({ note }) => note === "").map(({ text }) => text),
    ...comments.length === 0 ? [] : ["", "; Records that a zone file cannot contain; an import leaves them unchanged."],
    ...comments.map(({ note, text }) => `; ${note}: ${text}`),
    "",
  ].join("\n");
}

/** Returns the reason why a record is written as a comment; empty for other records. */
function noteOf({ isOn, routeCodes }: RecordToWrite): string {
  const notes = [...isOn ? [] : ["off"], ...routeCodes.length === 0 ? [] : [`routes ${routeCodes.join(" ")}`]];
  return notes.join(", ").replace(/[^\x20-\x7e]/g, "?");
}

/** Returns a sort key: the domain itself comes first, each name after its parent, and SOA and NS before other types. */
function orderOf({ name, type }: RecordToWrite): string {
  const labels = name === APEX ? "" : name.split(".").toReversed().join("\0");
  const rank = FIRST_TYPES.indexOf(type);
  return `${labels}\0\0${rank < 0 ? FIRST_TYPES.length : rank}${type}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function textOf(record: NSRecordContent): string {
  const { name, ttl, type, data } = lineOf(record);
  return [name, ttl, "IN", type, data].join("\t");
}

/** Returns a record as zones contain it. */
export function lineOf(record: NSRecordContent): ZoneLine {
  const { name, ttl, type } = record;
  return { name, type, ttl, data: dataOf(record) };
}

function dataOf(record: NSRecordContent): string {
  const { type, value } = record;
  switch (type) {
    case "CNAME":
    case "NS":
    case "PTR":
      return absolute(value);
    case "MX":
      return `${record.mxPriority} ${absolute(value)}`;
    case "SRV":
      return `${record.srvPriority} ${record.srvWeight} ${record.srvPort} ${absolute(value)}`;
    case "TXT":
      return quotedStrings(value);
    case "CAA":
      return `${record.caaFlag} ${record.caaTag} ${quotedString(value)}`;
    case "SOA": {
      const [server = "", mailbox = "", ...numbers] = value.split(" ");
      return [absolute(server), absolute(mailbox), ...numbers].join(" ");
    }
    case "HTTPS":
    case "SVCB": {
      const [priority = "", target = "", ...parameters] = value.split(" ");
      return [priority, absolute(target), ...parameters.map(parameter)].join(" ");
    }
    default:
      return value;
  }
}

function absolute(name: string): string {
  return name.endsWith(".") ? name : `${name}.`;
}

/** Returns a parameter of a service binding, with its value quoted if necessary. */
function parameter(text: string): string {
  const [key = "", ...rest] = text.split("=");
  const value = rest.join("=");
  if (value === "") return key;
  return `${key}=${/^[\w+/=,.:-]+$/.test(value) ? value : quotedString(value)}`;
}
