import { choiceField, invalid, numberField } from "edgehelm";
import { addressField } from "edgehelm/fields";
import type { NSRecordContent } from "./contract.ts";
import { APEX, recordName, targetName } from "./names.ts";
import { serviceBinding } from "./service_binding.ts";
import { wholeAuthorization, wholeService } from "./whole_values.ts";

export const TYPES = [
  "A",
  "AAAA",
  "CNAME",
  "MX",
  "NS",
  "TXT",
  "SRV",
  "CAA",
  "PTR",
  "SOA",
  "HTTPS",
  "SVCB",
] as const;
export type RecordType = (typeof TYPES)[number];

const MAX_UINT16 = 65_535;
const MAX_TEXT_LENGTH = 4096;
const DEFAULT_TTL = 600;

/** The content of a record as sent by a client. */
export interface Draft extends NSRecordContent {
  readonly weight: number;
}

/** The checked content of a record: normalized, apart from names in its value, which stay as they were written. */
export interface RecordData extends Draft {
  readonly type: RecordType;
}

/**
 * Validates a record by its type and normalizes it.
 *
 * @param field Returns the path of a record's field in the request, for errors.
 */
export function recordData(field: (name: string) => string, draft: Draft, zone: string): RecordData {
  const type = choiceField(field("type"), draft.type.trim().toUpperCase(), TYPES);
  const name = recordName(field("name"), draft.name, zone);
  if (type === "CNAME" && name === APEX) {
    throw invalid(field("name"), "a CNAME is not allowed at the domain itself, which has other records");
  }
  if (type === "SOA" && name !== APEX) {
    throw invalid(field("name"), `a SOA record must be at the domain itself, "${APEX}"`);
  }
  return {
    mxPriority: 0,
    srvPriority: 0,
    srvWeight: 0,
    srvPort: 0,
    caaFlag: 0,
    caaTag: "",
    ...CHECKS[type](field, draft, zone),
    name,
    type,
    ttl: numberField(field("ttl"), draft.ttl, { min: 0 }) || DEFAULT_TTL,
    weight: uint16(field("weight"), draft.weight),
  };
}

type Field = (name: string) => string;
type Checked = { readonly value: string } & Partial<RecordData>;

const CHECKS: Readonly<Record<RecordType, (field: Field, draft: Draft, zone: string) => Checked>> = {
  A: (field, { value }) => ({ value: addressField(field("value"), value, 4) }),
  AAAA: (field, { value }) => ({ value: addressField(field("value"), value, 6) }),
  CNAME: (field, { value }, zone) => ({ value: targetName(field("value"), value, zone) }),
  NS: (field, { value }, zone) => ({ value: targetName(field("value"), value, zone) }),
  PTR: (field, { value }, zone) => ({ value: targetName(field("value"), value, zone) }),
  MX: (field, { value, mxPriority }, zone) => ({
    value: targetName(field("value"), value, zone, { allowRoot: true }),
    mxPriority: uint16(field("mxPriority"), mxPriority),
  }),
  TXT: (field, { value }) => ({ value: text(field("value"), value) }),
  SRV: (field, draft, zone) => {
    const { value, srvPriority, srvWeight, srvPort } = wholeService(draft);
    return {
      value: targetName(field("value"), value, zone, { allowRoot: true }),
      srvPriority: uint16(field("srvPriority"), srvPriority),
      srvWeight: uint16(field("srvWeight"), srvWeight),
      srvPort: uint16(field("srvPort"), srvPort),
    };
  },
  CAA: (field, draft, zone) => {
    const { value, caaFlag, caaTag } = wholeAuthorization(draft);
    const tag = caaTag.trim().toLowerCase();
    if (!/^[a-z0-9]{1,15}$/.test(tag)) {
      throw invalid(field("caaTag"), `must be 1 to 15 letters and digits such as issue, got "${caaTag.slice(0, 60)}"`);
    }
    checkAuthority(field("value"), tag, value.trim(), zone);
    return { value: value.trim(), caaTag: tag, caaFlag: numberField(field("caaFlag"), caaFlag, { min: 0, max: 255 }) };
  },
  SOA: (field, { value }, zone) => ({ value: startOfAuthority(field("value"), value, zone) }),
  HTTPS: (field, { value }, zone) => ({ value: serviceBinding(field("value"), value, zone) }),
  SVCB: (field, { value }, zone) => ({ value: serviceBinding(field("value"), value, zone) }),
};

function uint16(field: string, value: number): number {
  return numberField(field, value, { min: 0, max: MAX_UINT16 });
}

function text(field: string, value: string): string {
  if (value === "") throw invalid(field, "must not be empty");
  if (value.length > MAX_TEXT_LENGTH) {
    throw invalid(field, `must have at most ${MAX_TEXT_LENGTH} characters, got ${value.length}`);
  }
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x1f\x7f]/.test(value)) throw invalid(field, "must not contain control characters such as line breaks");
  return value;
}

/** Checks the value of a CAA record (RFC 8659): an issuer with parameters; a lone semicolon forbids all issuers. */
function checkAuthority(field: string, tag: string, value: string, zone: string): void {
  text(field, value);
  if (tag === "iodef") {
    if (/^(mailto:[^\s@]+@[^\s@]+|https?:\/\/\S+)$/.test(value)) return;
    throw invalid(field, `must be a mailto, http or https URL, got "${value.slice(0, 60)}"`);
  }
  if (tag !== "issue" && tag !== "issuewild") return;
  const [authority = "", ...parameters] = value.split(";").map((part) => part.trim());
  if (authority !== "") targetName(field, authority, zone);
  for (const parameter of parameters) {
    if (parameter === "" || /^[a-zA-Z0-9-]+=[\x21-\x3a\x3c-\x7e]*$/.test(parameter)) continue;
    throw invalid(field, `the parameter "${parameter.slice(0, 60)}" must have the form name=value`);
  }
}

/** Normalizes the value of a SOA record (RFC 1035): primary server, mailbox, serial, refresh, retry, expire, minimum. */
function startOfAuthority(field: string, value: string, zone: string): string {
  const [server = "", mailbox = "", ...numbers] = value.trim().split(/\s+/);
  if (numbers.length !== 5 || !numbers.every((number) => /^\d{1,10}$/.test(number) && Number(number) < 2 ** 32)) {
    throw invalid(field, "must be a server, a mailbox and five numbers: serial, refresh, retry, expire, minimum");
  }
  const names = [targetName(field, server, zone), mailboxName(field, mailbox, zone)];
  return [...names, ...numbers.map(Number)].join(" ");
}

/** Converts an email address to a domain name, with dots of the local part escaped: `first\.last.example.com`. */
function mailboxName(field: string, mailbox: string, zone: string): string {
  const [local = "", ...host] = mailbox.toLowerCase().split("@");
  const name = host.length === 0 ? local : `${local.replaceAll(".", "\\.")}.${host.join("@")}`;
  const [, escaped, rest = ""] = /^([a-z0-9_-]+(?:\\\.[a-z0-9_-]+)+)\.(.+)$/.exec(name) ?? [];
  return escaped === undefined || escaped.length > 63
    ? targetName(field, name, zone)
    : `${escaped}.${targetName(field, rest, zone)}`;
}
