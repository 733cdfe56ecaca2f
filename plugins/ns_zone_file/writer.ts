import type { NSRecordContent } from "../ns_record/contract.ts";
import { quotedString, quotedStrings } from "./escapes.ts";

/** A record as a zone file shows it. */
export interface WrittenRecord extends NSRecordContent {
  readonly isOn: boolean;
  readonly routeCodes: readonly string[];
}

const DEFAULT_TTL = 600;
const APEX = "@";
const FIRST_TYPES = ["SOA", "NS"];

/** Writes the zone file of a domain; the same records give the same text, in whatever order they come. */
export function writeZone(domain: string, records: readonly WrittenRecord[]): string {
  const lines = records.map((record) => ({ note: noteOf(record), order: orderOf(record), text: lineOf(record) }))
    .sort((a, b) => compare(a.order, b.order) || compare(a.text, b.text) || compare(a.note, b.note));
  const comments = lines.filter(({ note }) => note !== "");
  return [
    `$ORIGIN ${domain}.`,
    `$TTL ${DEFAULT_TTL}`,
    ...lines.filter(({ note }) => note === "").map(({ text }) => text),
    ...comments.length === 0
      ? []
      : ["", "; Records that a zone file cannot have: importing it leaves them as they are."],
    ...comments.map(({ note, text }) => `; ${note}: ${text}`),
    "",
  ].join("\n");
}

/** Why a record stands in a comment; empty when it does not. */
function noteOf({ isOn, routeCodes }: WrittenRecord): string {
  const notes = [...isOn ? [] : ["off"], ...routeCodes.length === 0 ? [] : [`routes ${routeCodes.join(" ")}`]];
  return notes.join(", ").replace(/[^\x20-\x7e]/g, "?");
}

/** The domain itself first, then each name after its parent; SOA and NS before other types. */
function orderOf({ name, type }: WrittenRecord): string {
  const labels = name === APEX ? "" : name.split(".").toReversed().join("\0");
  const rank = FIRST_TYPES.indexOf(type);
  return `${labels}\0\0${rank < 0 ? FIRST_TYPES.length : rank}${type}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function lineOf(record: WrittenRecord): string {
  return [record.name, record.ttl, "IN", record.type, dataOf(record)].join("\t");
}

function dataOf(record: WrittenRecord): string {
  const { type, value } = record;
  switch (type) {
    case "CNAME":
    case "NS":
    case "PTR":
      return whole(value);
    case "MX":
      return `${record.mxPriority} ${whole(value)}`;
    case "SRV":
      return `${record.srvPriority} ${record.srvWeight} ${record.srvPort} ${whole(value)}`;
    case "TXT":
      return quotedStrings(value);
    case "CAA":
      return `${record.caaFlag} ${record.caaTag} ${quotedString(value)}`;
    case "SOA": {
      const [server = "", mailbox = "", ...numbers] = value.split(" ");
      return [whole(server), whole(mailbox), ...numbers].join(" ");
    }
    case "HTTPS":
    case "SVCB": {
      const [priority = "", target = "", ...parameters] = value.split(" ");
      return [priority, whole(target), ...parameters.map(parameter)].join(" ");
    }
    default:
      return value;
  }
}

function whole(name: string): string {
  return name.endsWith(".") ? name : `${name}.`;
}

/** A parameter of a service binding; quoted unless it is plain. */
function parameter(text: string): string {
  const [key = "", ...rest] = text.split("=");
  const value = rest.join("=");
  if (value === "") return key;
  return `${key}=${/^[\w+/=,.:-]+$/.test(value) ? value : quotedString(value)}`;
}
