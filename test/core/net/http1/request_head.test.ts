import { describe, expect, test } from "vitest";
import { HttpError } from "../../../../core/net/http1/error.ts";
import { endOfHead, readHead } from "../../../../core/net/http1/request_head.ts";

const LIMITS = { headerBytes: 1024, headerCount: 20 };
const HOST = "host: edgehelm.test";

function read(line: string, ...fields: string[]) {
  return readHead([line, ...fields].join("\r\n"), LIMITS);
}

function statusOf(act: () => unknown): number {
  try {
    act();
    return 200;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return error.status;
  }
}

test("readHead parses a head", () => {
  const head = read(
    "POST /A/b?c=d HTTP/1.1",
    "Host: edgehelm.test:8080",
    "X-One:a",
    "x-one: \t b \t",
    "content-length: 7",
  );
  expect(head).toMatchObject({
    method: "POST",
    target: "/A/b?c=d",
    isHttp10: false,
    bodyLength: 7,
    keepsAlive: true,
    expectsContinue: false,
  });
  expect(Object.fromEntries(head.headers)).toEqual({
    host: "edgehelm.test:8080",
    "x-one": "a, b",
    "content-length": "7",
  });
});

test.each([
  ["HTTP/1.1", [], true],
  ["HTTP/1.1", ["connection: x, Close"], false],
  ["HTTP/1.0", [], false],
  ["HTTP/1.0", ["connection: Keep-Alive"], true],
])("%s with %j: keepsAlive is %s", (version, fields, keepsAlive) => {
  expect(read(`GET / ${version}`, HOST, ...fields).keepsAlive).toBe(keepsAlive);
});

describe("refuses", () => {
  test.each([
    ["two lengths", ["content-length: 5", "content-length: 6"], 400],
    ["the same length twice", ["content-length: 5", "Content-Length: 5"], 400],
    ["a list of lengths", ["content-length: 5, 5"], 400],
    ["a length with a sign", ["content-length: +5"], 400],
    ["a negative length", ["content-length: -5"], 400],
    ["a hexadecimal length", ["content-length: 0x5"], 400],
    ["an empty length", ["content-length: "], 400],
    ["a length of 20 digits", ["content-length: 99999999999999999999"], 400],
    ["a length and chunks", ["content-length: 5", "transfer-encoding: chunked"], 400],
    ["chunks and a length", ["transfer-encoding: chunked", "content-length: 5"], 400],
    ["chunks twice", ["transfer-encoding: chunked", "transfer-encoding: chunked"], 501],
    ["a coding after chunked", ["transfer-encoding: chunked, identity"], 501],
    ["a coding before chunked", ["transfer-encoding: gzip, chunked"], 501],
    ["a coding whose name contains chunked", ["transfer-encoding: xchunked"], 501],
    ["a tab before the colon", ["transfer-encoding\t: chunked"], 400],
    ["a space before the colon", ["content-length : 5"], 400],
    ["a folded line", ["x: a", " content-length: 5"], 400],
    ["a folded first line", [" x: a"], 400],
    ["a header without a name", [": a"], 400],
    ["a header without a colon", ["content-length 5"], 400],
    ["a bare carriage return", ["x: a\rcontent-length: 5"], 400],
    ["a bare line feed", ["x: a\ncontent-length: 5"], 400],
    ["NUL in a value", ["x: a\0b"], 400],
    ["NUL in a name", ["x\0: a"], 400],
    ["a second host", ["host: other.test"], 400],
    ["another expectation", ["expect: 200-ok"], 417],
  ])("%s", (_case, fields, status) => {
    expect(statusOf(() => read("POST / HTTP/1.1", HOST, ...fields))).toBe(status);
  });

  test.each([
    ["no host", "POST / HTTP/1.1", [], 400],
    ["a host with a path", "POST / HTTP/1.1", ["host: a/b"], 400],
    ["a host with a user", "POST / HTTP/1.1", ["host: a@b"], 400],
    ["chunks over HTTP/1.0", "POST / HTTP/1.0", ["transfer-encoding: chunked"], 400],
    ["HTTP/2", "PRI * HTTP/2.0", [], 505],
    ["HTTP/0.9", "GET /", [], 400],
    ["two spaces", "GET  / HTTP/1.1", [HOST], 400],
    ["a tab", "GET\t/ HTTP/1.1", [HOST], 400],
    ["a space in the target", "GET /a b HTTP/1.1", [HOST], 400],
    ["a control character in the target", "GET /a\x01 HTTP/1.1", [HOST], 400],
    ["a version in lower case", "GET / http/1.1", [HOST], 400],
    ["a version with two digits", "GET / HTTP/1.10", [HOST], 400],
    ["a method that is not a token", "G@T / HTTP/1.1", [HOST], 400],
  ])("%s", (_case, line, fields, status) => {
    expect(statusOf(() => read(line, ...fields))).toBe(status);
  });
});

test("endOfHead finds the end of the head, and limits its size", () => {
  expect(endOfHead("GET / HTTP/1.1\r\n\r\nrest", LIMITS)).toBe(18);
  expect(endOfHead("GET / HTTP/1.1\r\n", LIMITS)).toBe(0);
  expect(statusOf(() => endOfHead("x".repeat(1025), LIMITS))).toBe(431);
  expect(statusOf(() => endOfHead(`x: ${"y".repeat(2000)}\r\n\r\n`, LIMITS))).toBe(431);
  expect(statusOf(() => endOfHead("\x16\x03\x01\x02", LIMITS))).toBe(400);
  expect(statusOf(() => read("GET / HTTP/1.1", HOST, ...Array.from({ length: 20 }, (_, at) => `h${at}: 1`)))).toBe(431);
});

test("endOfHead refuses other line ends before the head is complete", () => {
  for (const text of ["GET / HTTP/1.1\nhost: a\n\n", "GET / HTTP/1.1\rhost: a"]) {
    expect(statusOf(() => endOfHead(text, LIMITS))).toBe(400);
  }
  for (const text of ["GET / HTTP/1.1\r", "GET / HTTP/1.1\r\nhost", "GE"]) expect(endOfHead(text, LIMITS)).toBe(0);
});
