import { describe, expect, test } from "vitest";
import { ChunkedBody } from "../../../../core/net/http1/chunked.ts";
import { HttpError } from "../../../../core/net/http1/error.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** Decodes `text` in two pieces. Returns the body and the bytes after it, or undefined if the body is incomplete. */
function read(text: string, cut = text.length) {
  const chunked = new ChunkedBody();
  let body = "";
  let rest = "";
  for (const piece of [text.slice(0, cut), text.slice(cut)]) {
    const at = chunked.take(bytesOf(piece), 0, (part) => body += textOf(part));
    rest += piece.slice(at);
  }
  return chunked.isDone ? { body, rest } : undefined;
}

test.each([
  ["one chunk", "5\r\nhello\r\n0\r\n\r\n", "hello"],
  ["several chunks", "1\r\na\r\nA\r\n0123456789\r\n0\r\n\r\n", "a0123456789"],
  ["an empty body", "0\r\n\r\n", ""],
  ["leading zeros", "0005\r\nhello\r\n000\r\n\r\n", "hello"],
  ["extensions", '5;name="value" ;b\r\nhello\r\n0;x\r\n\r\n', "hello"],
  ["trailers", "5\r\nhello\r\n0\r\nx-one: a\r\nx-two: b\r\n\r\n", "hello"],
  ["line ends", "4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"],
])("decodes %s, however it is split", (_case, text, body) => {
  for (let cut = 0; cut <= text.length; cut++) expect(read(`${text}GET /`, cut)).toEqual({ body, rest: "GET /" });
  for (let length = 0; length < text.length; length++) expect(read(text.slice(0, length))).toBeUndefined();
});

test("many small chunks become one part", () => {
  const parts: string[] = [];
  new ChunkedBody().take(bytesOf("1\r\na\r\n".repeat(5000)), 0, (part) => parts.push(textOf(part)));
  expect(parts).toEqual(["a".repeat(5000)]);
});

describe("refuses", () => {
  test.each([
    ["no size", "\r\nhello"],
    ["a size that is not a number", "x\r\nhello"],
    ["a size with a sign", "+5\r\nhello"],
    ["a negative size", "-5\r\nhello"],
    ["a size with a prefix", "0x5\r\nhello"],
    ["a size of 16 digits", "ffffffffffffffff\r\n"],
    ["a space after the size", "5 \r\nhello"],
    ["a space before the size", " 5\r\nhello"],
    ["a bare line feed after the size", "5\nhello"],
    ["a bare carriage return", "5\rhello"],
    ["a chunk longer than its size", "5\r\nhello!\r\n"],
    ["a chunk without its line end", "5\r\nhello5\r\n"],
    ["a bare line feed after a chunk", "5\r\nhello\n0\r\n\r\n"],
    ["a control character in an extension", "5;a\0\r\nhello"],
    ["a request in place of a trailer", "0\r\nGET / HTTP/1.1\r\n\r\n"],
    ["a folded trailer", "0\r\nx: a\r\n b: c\r\n\r\n"],
    ["an endless extension", `5;${"x".repeat(5000)}`],
    ["endless trailers", `0\r\n${`x: ${"y".repeat(4000)}\r\n`.repeat(10)}`],
  ])("%s", (_case, text) => {
    for (let cut = 0; cut <= Math.min(text.length, 40); cut++) expect(() => read(text, cut)).toThrow(HttpError);
  });
});
