import { encodeBase64 } from "../../../core/protobuf/json/base64.ts";
import { concatBytes } from "../../harness/http2_client.ts";
import type { Random } from "../../harness/random.ts";
import type { TargetOperation } from "../target/installation.ts";
import { changedBytes, strangeBinary, strangeJsonRequest } from "./malformed.ts";

/** The bytes of a request. */
export interface WireRequest {
  /** The protocol; `raw` for requests that may not be valid HTTP. */
  readonly wire: "json" | "connect" | "grpcweb" | "raw";
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True if the server must respond, whatever the body says, and may then keep the connection. */
  readonly isValidHttp: boolean;
}

const encoder = new TextEncoder();
const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0) & 255);

const ODD_HEADERS: readonly string[] = [
  "content-encoding: gzip",
  "content-encoding: br",
  "content-encoding: zstd",
  "idempotency-key: ",
  `idempotency-key: ${"k".repeat(300)}`,
  "idempotency-key: one",
  "x-request-id: \xff\xfe",
  "accept-encoding: br;q=, gzip;q=0",
  "x-cloud-response-pretty: on",
  "x-forwarded-for: ,,, 999.1.1.1",
  "expect: 100-continue",
  "expect: the-unexpected",
  "upgrade: h2c\r\nconnection: upgrade",
  "range: bytes=0-",
  "authorization: Bearer",
  "authorization: bearer a.b.c",
  "x-cloud-access-token: \x80",
  "content-type: text/plain; charset=utf-16",
];
const ODD_LINES: readonly string[] = [
  "GET / HTTP/1.1",
  "POST  / HTTP/1.1",
  "POST / HTTP/9.9",
  "POST * HTTP/1.1",
  "POST /%00 HTTP/1.1",
  "POST /%zz/%2e%2e HTTP/1.1",
  "POST //HelloWorldService//sayHello HTTP/1.1",
  "POST http://[::1/ HTTP/1.1",
  "POST http://a:99999/x HTTP/1.1",
  "CONNECT a:1 HTTP/1.1",
  "TRACE / HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "PRI * HTTP/2.0",
  "HEAD /livez HTTP/1.1",
  "QUERY /HelloWorldService/sayHello HTTP/1.1",
  "POST /HelloWorldService/sayHello",
  `POST /${"a".repeat(20_000)} HTTP/1.1`,
  "POST /a\\b HTTP/1.1",
  "POST /?#?# HTTP/1.1",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
];
const ODD_HOSTS: readonly string[] = [
  "host: ",
  "host: a b",
  "host: [",
  "host: x\r\nhost: y",
  "",
  "host: ü",
  "host: a:b:c",
];

/** Creates a request of an operation. The same state of `random` creates the same request. */
export function httpRequest(
  wire: WireRequest["wire"],
  operation: TargetOperation,
  token: string | undefined,
  random: Random,
): WireRequest {
  const headers = token === undefined ? [] : [`x-cloud-access-token: ${token}`];
  const isOdd = random.below(12) === 0;
  if (isOdd) headers.push(random.oneOf(ODD_HEADERS));
  const bytes = bytesOf(wire, operation, headers, random);
  return { wire, bytes, isValidHttp: wire !== "raw" && !isOdd };
}

function bytesOf(
  wire: WireRequest["wire"],
  operation: TargetOperation,
  headers: readonly string[],
  random: Random,
): Uint8Array<ArrayBuffer> {
  switch (wire) {
    case "json":
      return postRequest(operation.path, headers, encoder.encode(strangeJsonRequest(operation, random)));
    case "connect":
      return connect(operation, headers, random);
    case "grpcweb":
      return grpcWeb(operation, headers, random);
    case "raw":
      return raw(operation, headers, random);
  }
}

function connect(operation: TargetOperation, headers: readonly string[], random: Random): Uint8Array<ArrayBuffer> {
  const isBinary = random.below(2) === 0;
  const body = isBinary ? strangeBinary(operation, random) : encoder.encode(strangeJsonRequest(operation, random));
  const family = random.below(8) === 0 ? "application/connect+" : "application/";
  const type = family + (isBinary ? "proto" : "json");
  const rpcHeaders = [`content-type: ${random.below(30) === 0 ? "application/x" : type}`];
  if (random.below(8) === 0) {
    rpcHeaders.push(`connect-timeout-ms: ${random.oneOf(["0", "-1", "x", "99999999999999", "1", "5000"])}`);
  }
  if (random.below(6) === 0) rpcHeaders.push(`connect-protocol-version: ${random.oneOf(["1", "2", ""])}`);
  const isStream = type.includes("connect");
  return postRequest(operation.rpcPath, [...headers, ...rpcHeaders], isStream ? framed(body, random) : body);
}

function grpcWeb(operation: TargetOperation, headers: readonly string[], random: Random): Uint8Array<ArrayBuffer> {
  const type = random.oneOf([
    "application/grpc-web+proto",
    "application/grpc-web",
    "application/grpc-web+proto",
    "application/grpc-web-text",
    "application/grpc-web+json",
  ]);
  const body = type.endsWith("json")
    ? encoder.encode(strangeJsonRequest(operation, random))
    : strangeBinary(operation, random);
  const rpcHeaders = [`content-type: ${type}`];
  if (random.below(8) === 0) {
    rpcHeaders.push(`grpc-timeout: ${random.oneOf(["1n", "0S", "-5m", "x", "99999999H", "5S"])}`);
  }
  if (random.below(8) === 0) rpcHeaders.push(`grpc-encoding: ${random.oneOf(["gzip", "identity", "br", ""])}`);
  const message = framed(body, random);
  return postRequest(
    operation.rpcPath,
    [...headers, ...rpcHeaders],
    type.endsWith("text") ? encoder.encode(encodeBase64(message)) : message,
  );
}

/** Frames a message, possibly with wrong flags or a wrong length. */
export function framed(body: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(5 + body.length);
  frame.set(body, 5);
  frame[0] = random.below(12) === 0 ? random.below(256) : 0;
  const length = random.below(12) === 0 ? random.oneOf([0, 1, body.length + 1, 2 ** 31, 2 ** 32 - 1]) : body.length;
  new DataView(frame.buffer).setUint32(1, length);
  if (random.below(30) === 0) return concatBytes([frame, frame]);
  return random.below(30) === 0 ? frame.slice(0, random.below(frame.length + 1)) : frame;
}

/** Returns a request with a malformed request line, header, framing or body. */
function raw(operation: TargetOperation, headers: readonly string[], random: Random): Uint8Array<ArrayBuffer> {
  const body = strangeJsonRequest(operation, random).slice(0, 2000);
  const line = random.below(2) === 0 ? random.oneOf(ODD_LINES) : `POST ${operation.path} HTTP/1.1`;
  const host = random.below(3) === 0 ? random.oneOf(ODD_HOSTS) : "host: edgehelm.test";
  const length = encoder.encode(body).length;
  const framing = random.oneOf([
    `content-length: ${length}`,
    `content-length: ${length}`,
    `content-length: ${length}`,
    `content-length: ${length + 5}`,
    "content-length: -1",
    "content-length: 99999999999999999999",
    `content-length: ${length}\r\ncontent-length: 0`,
    `transfer-encoding: chunked\r\ncontent-length: ${length}`,
    "transfer-encoding: chunked",
    "transfer-encoding: identity, chunked, x",
    "",
  ]);
  const odd = random.list(
    3,
    () => random.oneOf(["bad header", ": x", "a\0b: c", "x: \r\n folded", "x:\t", `y: ${"z".repeat(9000)}`]),
  );
  const many = random.below(20) === 0 ? Array.from({ length: 300 }, (_, index) => `h${index}: 1`) : [];
  const lines = [line, host, framing, ...headers, ...odd.slice(0, random.below(3)), ...many].filter((text) =>
    text !== ""
  );
  const end = random.oneOf(["\r\n", "\r\n", "\r\n", "\n"]);
  const text = encoder.encode(framing === "transfer-encoding: chunked" ? random.oneOf(CHUNKED)(body, length) : body);
  const bytes = new Uint8Array([...latin(lines.join(end) + end + end), ...text]);
  return random.below(3) === 0 ? changedBytes(bytes, random) : bytes;
}

const CHUNKED: readonly ((body: string, length: number) => string)[] = [
  (body, length) => `${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  (body) => `ffffffffffffffffff\r\n${body}`,
  (body) => `-1\r\n${body}\r\n0\r\n\r\n`,
  (body, length) => `${length.toString(16)};x="${"e".repeat(5000)}"\r\n${body}\r\n0\r\nx-trailer: y\r\n\r\n`,
  (body) => `1\r\n${body}`,
];

function postRequest(path: string, headers: readonly string[], body: Uint8Array): Uint8Array<ArrayBuffer> {
  const lines = [`POST ${path} HTTP/1.1`, "host: edgehelm.test", `content-length: ${body.length}`, ...headers];
  const start = latin(`${lines.join("\r\n")}\r\n\r\n`);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}
