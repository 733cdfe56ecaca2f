import { describe, expect, test } from "vitest";
import { ErrorCode } from "../../../../core/net/http2/protocol.ts";
import type { Fields } from "../../../harness/http2_client.ts";
import { ENDS, greet, REQUEST, request, stillServes, streamError } from "./rig.ts";

/** The header fields of malformed requests. */
const MALFORMED: readonly (readonly [section: string, name: string, fields: Fields])[] = [
  ["8.2", "a capital in a field name", [...REQUEST, ["X-Token", "1"]]],
  ["8.2.1", "a space in a field name", [...REQUEST, ["x token", "1"]]],
  ["8.2.1", "a colon in a field name", [...REQUEST, ["x:token", "1"]]],
  ["8.2.1", "an empty field name", [...REQUEST, ["", "1"]]],
  ["8.2.1", "a line feed in a value", [...REQUEST, ["x", "a\nb"]]],
  ["8.2.1", "a carriage return in a value", [...REQUEST, ["x", "a\rb"]]],
  ["8.2.1", "NUL in a value", [...REQUEST, ["x", "a\0b"]]],
  ["8.2.1", "a value that begins with a space", [...REQUEST, ["x", " a"]]],
  ["8.2.1", "a value that ends with a tab", [...REQUEST, ["x", "a\t"]]],
  ...["connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"].map((name) =>
    ["8.2.2", `the field ${name}`, [...REQUEST, [name, "x"] as const]] as const
  ),
  ["8.2.2", "te other than trailers", [...REQUEST, ["te", "gzip"]]],
  ["8.3", "an unknown pseudo field", [...REQUEST, [":authorities", "x"]]],
  ["8.3", "a pseudo field of responses", [...REQUEST, [":status", "200"]]],
  ["8.3", "a pseudo field after a regular one", [["x", "1"], ...REQUEST]],
  ["8.3.1", "no :method", REQUEST.slice(1)],
  ["8.3.1", "no :scheme", [REQUEST[0]!, REQUEST[2]!]],
  ["8.3.1", "no :path", REQUEST.slice(0, 2)],
  ["8.3.1", "an empty :path", request({ ":path": "" })],
  ["8.3.1", "a :path without a slash", request({ ":path": "echo" })],
  ...REQUEST.map((field) => ["8.3.1", `${field[0]} twice`, [...REQUEST, field]] as const),
  ["8.3.1", "host and :authority that differ", [...REQUEST, [":authority", "a.test"], ["host", "b.test"]]],
  ["8.1.1", "content-length that is not a number", [...REQUEST, ["content-length", "+1"]]],
  ["8.1.1", "two lengths", [...REQUEST, ["content-length", "1"], ["content-length", "2"]]],
  ["8.5", "CONNECT with a path", [[":method", "CONNECT"], [":path", "/"], [":authority", "a"]]],
];

describe("refuses a request with", () => {
  test.each(MALFORMED)("%s: %s", async (_section, _name, fields) => {
    const { client, paths } = greet();
    client.headers(1, fields, ENDS);
    expect(await streamError(client, 1)).toBe(ErrorCode.PROTOCOL_ERROR);
    expect(paths).toEqual([]);
    await stillServes(client, 3);
  });
});
