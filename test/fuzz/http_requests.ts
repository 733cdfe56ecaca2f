import type { DescMethod } from "@bufbuild/protobuf";
import { httpPath } from "../../core/calls/operation.ts";
import type { Random } from "../harness/random.ts";
import { changedBytes, malformedBinary, malformedJson } from "./messages.ts";

/** The bytes of a request. */
export interface WireRequest {
  /** The kind of request, by which responses are counted. */
  readonly kind: "json" | "connect" | "grpcweb" | "raw";
  readonly bytes: Uint8Array<ArrayBuffer>;
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

/** Generates malformed requests for every protocol of the HTTP listener. */
export class HttpRequests {
  readonly #methods: readonly DescMethod[];
  readonly #tokens: readonly (string | undefined)[];

  /** @param tokens access tokens to send; undefined for a request without one */
  constructor(methods: readonly DescMethod[], tokens: readonly (string | undefined)[]) {
    this.#methods = methods;
    this.#tokens = tokens;
  }

  /** Creates a request. The same state of `random` creates the same request. */
  create(random: Random): WireRequest {
    const method = random.oneOf(this.#methods);
    const token = random.oneOf(this.#tokens);
    const headers = token === undefined ? [] : [`x-cloud-access-token: ${token}`];
    if (random.below(10) === 0) headers.push(random.oneOf(ODD_HEADERS));
    switch (random.below(10)) {
      case 0:
      case 1:
        return { kind: "connect", bytes: connect(method, headers, random) };
      case 2:
      case 3:
        return { kind: "grpcweb", bytes: grpcWeb(method, headers, random) };
      case 4:
      case 5:
        return { kind: "raw", bytes: raw(method, headers, random) };
      default:
        return {
          kind: "json",
          bytes: postRequest(httpPath(method), headers, encoder.encode(malformedJson(method.input, random))),
        };
    }
  }
}

function rpcPath({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`;
}

function connect(method: DescMethod, headers: readonly string[], random: Random): Uint8Array<ArrayBuffer> {
  const isBinary = random.below(2) === 0;
  const body = isBinary ? malformedBinary(method.input, random) : encoder.encode(malformedJson(method.input, random));
  const type = random.oneOf(["application/", "application/", "application/connect+"]) + (isBinary ? "proto" : "json");
  const rpcHeaders = [`content-type: ${random.below(12) === 0 ? "application/x" : type}`];
  if (random.below(4) === 0) {
    rpcHeaders.push(`connect-timeout-ms: ${random.oneOf(["0", "-1", "x", "99999999999999", "1", "5000"])}`);
  }
  if (random.below(6) === 0) rpcHeaders.push(`connect-protocol-version: ${random.oneOf(["1", "2", ""])}`);
  return postRequest(
    rpcPath(method),
    [...headers, ...rpcHeaders],
    type.includes("connect") ? framed(body, random) : body,
  );
}

function grpcWeb(method: DescMethod, headers: readonly string[], random: Random): Uint8Array<ArrayBuffer> {
  const type = random.oneOf([
    "application/grpc-web+proto",
    "application/grpc-web",
    "application/grpc-web-text",
    "application/grpc-web+json",
  ]);
  const body = type.endsWith("json")
    ? encoder.encode(malformedJson(method.input, random))
    : malformedBinary(method.input, random);
  const rpcHeaders = [`content-type: ${type}`];
  if (random.below(4) === 0) {
    rpcHeaders.push(`grpc-timeout: ${random.oneOf(["1n", "0S", "-5m", "x", "99999999H", "5S"])}`);
  }
  if (random.below(6) === 0) rpcHeaders.push(`grpc-encoding: ${random.oneOf(["gzip", "identity", "br", ""])}`);
  return postRequest(rpcPath(method), [...headers, ...rpcHeaders], framed(body, random));
}

/** Frames a message, possibly with wrong flags or a wrong length. */
export function framed(body: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(5 + body.length);
  frame.set(body, 5);
  frame[0] = random.below(5) === 0 ? random.below(256) : 0;
  const length = random.below(5) === 0 ? random.oneOf([0, 1, body.length + 1, 2 ** 31, 2 ** 32 - 1]) : body.length;
  new DataView(frame.buffer).setUint32(1, length);
  if (random.below(10) === 0) return new Uint8Array([...frame, ...frame]);
  return random.below(10) === 0 ? frame.slice(0, random.below(frame.length + 1)) : frame;
}

/** Returns a request with a malformed request line, header, framing or body. */
function raw(method: DescMethod, headers: readonly string[], random: Random): Uint8Array<ArrayBuffer> {
  const body = malformedJson(method.input, random).slice(0, 2000);
  const line = random.below(2) === 0 ? random.oneOf(ODD_LINES) : `POST ${httpPath(method)} HTTP/1.1`;
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
