import { MAX_TIMER } from "../../base/clock.ts";
import type { MessageCodings } from "../rpc/codings.ts";
import { connectJsonForm } from "./connect_json.ts";
import { binaryType } from "./grpc_web_text.ts";

/** The headers of a request's coding with those of the codings that its caller accepts. */
const CODING_HEADERS = [
  ["content-encoding", "accept-encoding"],
  ["connect-content-encoding", "connect-accept-encoding"],
  ["grpc-encoding", "grpc-accept-encoding"],
] as const;

/**
 * Returns the headers of a request as the Connect library must see them: with a timeout that timers support, 24.8 days
 * instead of anything longer; in binary if the body was base64; without the coding of JSON, which is decompressed before.
 * A caller that does not say which codings it accepts accepts none.
 */
export function callHeaders(headers: Headers, codings: MessageCodings): Headers {
  const changes: [name: string, value: string | undefined][] = [];
  const grpc = /^(\d{1,8})([HMS])$/.exec(headers.get("grpc-timeout") ?? "");
  if (grpc !== null && Number(grpc[1]) * { H: 3600, M: 60, S: 1 }[grpc[2] as "H"] > MAX_TIMER / 1000) {
    changes.push(["grpc-timeout", `${Math.floor(MAX_TIMER / 1000)}S`]);
  }
  if (Number(headers.get("connect-timeout-ms")) > MAX_TIMER) changes.push(["connect-timeout-ms", String(MAX_TIMER)]);
  const type = binaryType(headers.get("content-type"));
  if (type !== undefined) changes.push(["content-type", type], ["content-length", undefined]);
  for (const [coding, accepted] of CODING_HEADERS) {
    if (headers.get(coding) !== null && headers.get(accepted) === null) changes.push([accepted, "identity"]);
  }
  const form = connectJsonForm(headers);
  if (form?.kind === "message" && form.coding !== undefined && codings.names.includes(form.coding)) {
    changes.push(["content-encoding", undefined], ["content-length", undefined]);
  }
  if (changes.length === 0) return headers;
  const changed = new Headers(headers);
  for (const [name, value] of changes) {
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}
