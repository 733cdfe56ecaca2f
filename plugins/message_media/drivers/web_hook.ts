import { type Call, choiceField, type Clock, invalid, jsonField, textField, unixSeconds } from "edgehelm";
import { webhookHeaders, webhookKey } from "edgehelm/auth";
import { type NamedValue, type WebHookParams, WebHookParamsSchema } from "edgehelm/proto/shapes/message_media_pb.js";
import type { MessageMediaDriver, OutgoingMessage } from "../contract.ts";
import { urlField, valuesField } from "./fields.ts";
import { type ProviderRequest, requestProvider, resultOf } from "./http.ts";
import { filled } from "./texts.ts";

const RESERVED_HEADERS = /^(?:host|connection|content-length|transfer-encoding|te|upgrade|webhook-.*)$/i;

/** Calls a URL. With a secret, the request is signed as Standard Webhooks specifies it. */
export function webHook(clock: Clock): MessageMediaDriver {
  return {
    id: 2n,
    type: "webHook",
    name: "Web hook",
    description: "Calls a URL",
    userDescription: "A value for the variable ${MessageUser}; may be empty",
    secrets: ["secret", "headers.value"],
    canSend: true,
    noticesRepetitions: true,
    check,
    hosts: (bytes) => ({ url: new URL(jsonField("paramsJSON", bytes, WebHookParamsSchema)!.url).hostname }),
    async send(call, message) {
      const params = jsonField("paramsJSON", message.paramsJSON, WebHookParamsSchema)!;
      return await sendWebHook(call, params, message, Number(unixSeconds(clock)));
    },
  };
}

function check(field: string, bytes: Uint8Array): void {
  const { url, method, contentType, headers, params, body, secret } = jsonField(field, bytes, WebHookParamsSchema)!;
  urlField(`${field}.url`, url, /^https?:/i, "http or https");
  if (method !== "") choiceField(`${field}.method`, method.toUpperCase(), ["GET", "POST"]);
  if (contentType !== "") choiceField(`${field}.contentType`, contentType, ["params", "body"]);
  valuesField(`${field}.headers`, headers);
  for (const [index, header] of headers.entries()) headerField(`${field}.headers[${index}]`, header);
  valuesField(`${field}.params`, params);
  textField(`${field}.body`, body, { max: 65_536 });
  if (secret !== "" && webhookKey(secret) === undefined) {
    throw invalid(`${field}.secret`, "must be empty, or whsec_ and 16 to 64 bytes in base64");
  }
}

function headerField(field: string, { name, value }: NamedValue): void {
  if (RESERVED_HEADERS.test(name)) throw invalid(`${field}.name`, `"${name.slice(0, 60)}" is set by the server`);
  try {
    new Headers([[name, value]]);
  } catch {
    throw invalid(field, `must be a valid HTTP header, got "${name.slice(0, 60)}"`);
  }
}

async function sendWebHook(call: Call, params: WebHookParams, message: OutgoingMessage, timestamp: number) {
  const { url, request } = requestOf(params, message, timestamp);
  const { secret } = params;
  const signed = secret === ""
    ? { "webhook-id": message.id }
    : await webhookHeaders(secret, message.id, timestamp, request.body ?? "");
  return resultOf(await requestProvider(call, url, { ...request, headers: { ...request.headers, ...signed } }));
}

/** Returns the request of a message: its parameters, the configured body, or JSON if neither is configured. */
function requestOf(
  params: WebHookParams,
  message: OutgoingMessage,
  timestamp: number,
): { readonly url: string; readonly request: ProviderRequest } {
  const method = params.method.toUpperCase() === "GET" ? "GET" : "POST";
  const headers = Object.fromEntries(params.headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const post = (contentType: string, body: string) => ({
    url: params.url,
    request: { method, headers: { "content-type": contentType, ...headers }, body } as const,
  });
  if (params.params.length > 0 && params.contentType !== "body") {
    const values = new URLSearchParams(params.params.map(({ name, value }) => [name, filled(value, message)]));
    if (method === "POST") return post("application/x-www-form-urlencoded", values.toString());
    const url = new URL(params.url);
    for (const [name, value] of values) url.searchParams.append(name, value);
    return { url: url.href, request: { method, headers } };
  }
  if (method === "GET") return { url: params.url, request: { method, headers } };
  if (params.body !== "") return post(...bodyOf(params.body, message));
  const { id, user, subject, body } = message;
  const time = new Date(timestamp * 1000).toISOString();
  return post(
    "application/json",
    JSON.stringify({ type: "message", timestamp: time, data: { id, user, subject, body } }),
  );
}

/** Fills a body. In JSON, values are filled inside of its texts, so that quotes in a message cannot end one. */
function bodyOf(body: string, message: OutgoingMessage): [contentType: string, body: string] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return ["text/plain; charset=utf-8", filled(body, message)];
  }
  const value = (_key: string, value: unknown) => typeof value === "string" ? filled(value, message) : value;
  return ["application/json", JSON.stringify(parsed, value)];
}
