import { checkText, textOf, WireError, WireReader, WireType } from "edgehelm/wire";
import { ipKey } from "./ip_key.ts";

/** The number of characters of a text that searches cover; responses contain the whole text. */
export const MAX_SEARCHED = 2000;

/** The field numbers of HTTPAccessLog that are searched or stored separately. */
export const FIELDS = {
  serverId: 1,
  nodeId: 2,
  remoteAddr: 6,
  requestURI: 10,
  requestPath: 11,
  requestMethod: 14,
  scheme: 16,
  proto: 17,
  status: 20,
  host: 27,
  referer: 28,
  userAgent: 29,
  firewallPolicyId: 44,
  firewallRuleGroupId: 45,
  firewallRuleSetId: 46,
  requestId: 48,
  tags: 50,
  requestBody: 51,
  node: 100,
} as const;

/** The searched fields of a log. Texts are truncated to MAX_SEARCHED (2000) characters. */
export interface LogFields {
  readonly requestId: string;
  readonly serverId: bigint;
  readonly nodeId: bigint;
  readonly status: number;
  readonly firewallPolicyId: bigint;
  readonly firewallRuleGroupId: bigint;
  readonly firewallRuleSetId: bigint;
  /** The `ipKey` of remoteAddr; empty if that is not an address. */
  readonly ipKey: string;
  readonly remoteAddr: string;
  /** In lower case, without a port. */
  readonly host: string;
  readonly scheme: string;
  readonly proto: string;
  readonly requestMethod: string;
  readonly requestURI: string;
  readonly requestPath: string;
  readonly referer: string;
  readonly userAgent: string;
  readonly tags: readonly string[];
  /** True if the log contains the field `requestBody` or `node`. */
  readonly hasBodyOrNode: boolean;
}

/** The text fields that are searched. */
export const SEARCHED_TEXTS = [
  "remoteAddr",
  "requestURI",
  "requestPath",
  "requestMethod",
  "scheme",
  "proto",
  "host",
  "referer",
  "userAgent",
] as const satisfies readonly (keyof typeof FIELDS)[];
/** The text fields whose position is noted, as two numbers each. */
const TEXTS = [...SEARCHED_TEXTS, "requestId"] as const;
type Text = (typeof TEXTS)[number];

/** The index of a text's span, plus one, by field number. */
const SPAN_OF = new Uint8Array(64);
for (const [index, name] of TEXTS.entries()) SPAN_OF[FIELDS[name]] = index * 2 + 1;

/**
 * Reads the searched fields of an encoded HTTPAccessLog. As usual in protobuf, the last occurrence of a field wins.
 * Texts are decoded on every access: keep those you use twice, and do not spread the result.
 *
 * @throws WireError for bytes that are not a message, a field of the wrong type, and text that is not UTF-8 or contains
 *   NUL; the content of other fields is not checked
 */
export function logFields(log: Uint8Array): LogFields {
  return new ScannedLog(log);
}

class ScannedLog implements LogFields {
  readonly #log: Uint8Array;
  /** The start and end of each text; the end is negative if the text is not ASCII. */
  readonly #spans = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  readonly #tags: string[] = [];
  serverId = 0n;
  nodeId = 0n;
  status = 0;
  firewallPolicyId = 0n;
  firewallRuleGroupId = 0n;
  firewallRuleSetId = 0n;
  hasBodyOrNode = false;

  constructor(log: Uint8Array) {
    this.#log = log;
    const reader = new WireReader(log);
    while (reader.next()) this.#read(reader);
  }

  #read(reader: WireReader): void {
    const { field } = reader;
    const span = field < SPAN_OF.length ? SPAN_OF[field]! : 0;
    if (span !== 0) return this.#readText(reader, span - 1);
    switch (field) {
      case FIELDS.serverId:
        this.serverId = integer(reader);
        break;
      case FIELDS.nodeId:
        this.nodeId = integer(reader);
        break;
      case FIELDS.status:
        this.status = Number(BigInt.asIntN(32, integer(reader)));
        break;
      case FIELDS.firewallPolicyId:
        this.firewallPolicyId = integer(reader);
        break;
      case FIELDS.firewallRuleGroupId:
        this.firewallRuleGroupId = integer(reader);
        break;
      case FIELDS.firewallRuleSetId:
        this.firewallRuleSetId = integer(reader);
        break;
      case FIELDS.tags: {
        const isAscii = text(reader);
        this.#tags.push(cut(textOf(reader.bytes, reader.from, reader.to, isAscii)));
        break;
      }
      case FIELDS.requestBody:
      case FIELDS.node:
        this.hasBodyOrNode = true;
        reader.skip();
        break;
      default:
        reader.skip();
    }
  }

  #readText(reader: WireReader, at: number): void {
    const isAscii = text(reader);
    this.#spans[at] = reader.from;
    this.#spans[at + 1] = isAscii ? reader.to : -reader.to;
  }

  #text(name: Text): string {
    const at = SPAN_OF[FIELDS[name]]! - 1;
    const to = this.#spans[at + 1]!;
    return textOf(this.#log, this.#spans[at]!, Math.abs(to), to > 0);
  }

  get requestId(): string {
    return this.#text("requestId");
  }
  get remoteAddr(): string {
    return cut(this.#text("remoteAddr"));
  }
  get ipKey(): string {
    return ipKey(this.remoteAddr) ?? "";
  }
  get host(): string {
    return cut(this.#text("host")).toLowerCase().replace(/:\d+$/, "");
  }
  get scheme(): string {
    return cut(this.#text("scheme"));
  }
  get proto(): string {
    return cut(this.#text("proto"));
  }
  get requestMethod(): string {
    return cut(this.#text("requestMethod"));
  }
  get requestURI(): string {
    return cut(this.#text("requestURI"));
  }
  get requestPath(): string {
    return cut(this.#text("requestPath"));
  }
  get referer(): string {
    return cut(this.#text("referer"));
  }
  get userAgent(): string {
    return cut(this.#text("userAgent"));
  }
  get tags(): readonly string[] {
    return this.#tags;
  }
}

function integer(reader: WireReader): bigint {
  if (reader.wireType !== WireType.varint) throw wrongType(reader);
  return reader.int64();
}

/** Moves past a text; returns true if it is ASCII. */
function text(reader: WireReader): boolean {
  if (reader.wireType !== WireType.bytes) throw wrongType(reader);
  reader.span();
  return checkText(reader.bytes, reader.from, reader.to);
}

function wrongType({ field }: WireReader): WireError {
  return new WireError(`field ${field} has the wrong wire type`);
}

/** Truncates a text without splitting a surrogate pair. */
function cut(text: string): string {
  if (text.length <= MAX_SEARCHED) return text;
  const short = text.slice(0, MAX_SEARCHED);
  return short.isWellFormed() ? short : short.slice(0, -1);
}
