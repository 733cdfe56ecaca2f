import { choiceField, invalid, jsonField, listField, textField } from "edgehelm";
import { referencesField } from "edgehelm/fields";
import { jsonListField } from "edgehelm/wire";
import { OriginRefSchema } from "edgehelm/proto/shapes/origin_pb.js";
import { OriginSchedulingSchema, ProxyProtocolSchema } from "./proto/shapes_pb.ts";

/** The maximum number of primary origins and of backup origins in a proxy. */
const MAX_ORIGINS = 200;
const CODES = ["random", "roundRobin", "hash", "sticky"] as const;
const STICKY_TYPES = ["cookie", "header", "argument"] as const;
const TOKEN = /^[!#$%&'*+.^_`|~\w-]{1,100}$/;

/** Validates the load balancing of a proxy; empty bytes are valid. */
export function schedulingJSON(field: string, bytes: Uint8Array): void {
  const scheduling = jsonField(field, bytes, OriginSchedulingSchema);
  if (scheduling === undefined) return;
  const { code, options } = scheduling;
  if (code !== "") choiceField(`${field}.code`, code, CODES);
  if (code === "hash") textField(`${field}.options.key`, options?.key ?? "", { min: 1, max: 1000 });
  if (code === "sticky") {
    choiceField(`${field}.options.type`, options?.type ?? "", STICKY_TYPES);
    tokenField(`${field}.options.param`, options?.param ?? "");
  }
}

/** A reference to an origin in a request, with the path of the field. */
export interface OriginReference {
  readonly field: string;
  readonly originId: bigint;
}

/** Validates and returns a list of references to origins. Returns undefined for empty bytes. */
export function originRefsJSON(field: string, bytes: Uint8Array): OriginReference[] | undefined {
  const refs = jsonListField(field, bytes, OriginRefSchema);
  if (refs === undefined) return undefined;
  return referencesField(field, refs, "originId", { max: MAX_ORIGINS });
}

/** Validates the PROXY protocol settings; empty bytes are valid. */
export function proxyProtocolJSON(field: string, bytes: Uint8Array): void {
  const protocol = jsonField(field, bytes, ProxyProtocolSchema);
  if (protocol === undefined || (!protocol.isOn && protocol.version === 0)) return;
  if (protocol.version < 1 || protocol.version > 2) {
    throw invalid(`${field}.version`, `must be 1 or 2, got ${protocol.version}`);
  }
}

/** Validates the Host header setting; `requestHost` is required for type 2. */
export function requestHostFields(requestHostType: number, requestHost: string) {
  if (requestHostType < 0 || requestHostType > 2) {
    throw invalid("requestHostType", `must be 0, 1 or 2, got ${requestHostType}`);
  }
  return {
    requestHostType,
    requestHost: textField("requestHost", requestHost, { min: requestHostType === 2 ? 1 : 0 }),
  };
}

/** Validates the names of the headers to add. */
export function headersField(field: string, values: readonly string[]): string[] {
  return listField(field, values, tokenField, { max: 100 });
}

function tokenField(field: string, value: string): string {
  if (TOKEN.test(value)) return value;
  throw invalid(field, `must be a name such as X-Real-IP, got "${value.slice(0, 60)}"`);
}
