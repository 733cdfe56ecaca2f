import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type LoggedRequest, target } from "./line_format.ts";

/** Parses a line of Caddy's JSON access log. */
export function caddyLine(line: string): LoggedRequest | undefined {
  const entry = objectOf(line);
  const request = entry?.["request"];
  const at = timeOf(entry?.["ts"]);
  if (entry === undefined || !isObject(request) || at === undefined) return undefined;
  const headers = headersOf(request["headers"]);
  const [address, port] = addressOf(request);
  const duration = entry["duration"];
  return {
    at,
    log: {
      remoteAddr: textOf(request["client_ip"]) || address,
      rawRemoteAddr: address,
      remotePort: port,
      remoteUser: textOf(entry["user_id"]),
      requestMethod: textOf(request["method"]),
      proto: textOf(request["proto"]),
      scheme: isObject(request["tls"]) ? "https" : "http",
      host: textOf(request["host"]),
      ...target(textOf(request["uri"])),
      requestLength: integerOf(entry["bytes_read"]),
      requestTime: typeof duration === "number" ? duration : 0,
      bodyBytesSent: integerOf(entry["size"]),
      status: integerOf(entry["status"]),
      referer: headers["Referer"]?.values[0] ?? "",
      userAgent: headers["User-Agent"]?.values[0] ?? "",
      header: headers,
      sentHeader: headersOf(entry["resp_headers"]),
      contentType: headersOf(entry["resp_headers"])["Content-Type"]?.values[0] ?? "",
      msec: at / 1000,
    },
  };
}

function objectOf(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value as JsonValue) ? value as JsonObject : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function integerOf(value: JsonValue | undefined): number {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : 0;
}

/** Returns the address of the connection: `remote_ip` and `remote_port`, or `remote_addr` as Caddy 2.4 wrote it. */
function addressOf(request: JsonObject): [string, number] {
  const combined = /^\[?(.*?)\]?:(\d{1,5})$/.exec(textOf(request["remote_addr"]));
  if (combined !== null) return [combined[1]!, Number(combined[2])];
  return [textOf(request["remote_ip"]), Number(textOf(request["remote_port"])) || 0];
}

/** Caddy writes fractional seconds by default; it can be configured to write milliseconds, nanoseconds or text. */
function timeOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "string") {
    const time = Date.parse(value.replaceAll("/", "-"));
    return Number.isNaN(time) ? undefined : time;
  }
  if (typeof value !== "number" || !(value > 0)) return undefined;
  const [milliseconds, nanoseconds] = [1e11, 1e17];
  if (value >= nanoseconds) return Math.floor(value / 1e6);
  return Math.floor(value >= milliseconds ? value : value * 1000);
}

function headersOf(value: JsonValue | undefined): Record<string, { values: string[] }> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).flatMap(([name, values]) =>
    Array.isArray(values) ? [[name, { values: values.map(textOf) }] as const] : []
  );
  return Object.fromEntries(entries);
}
