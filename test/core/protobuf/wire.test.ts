import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { WireError, WireReader, WireType } from "edgehelm/wire";
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../../core/base/limits.ts";
import { checkMessage } from "../../../core/protobuf/wire/check.ts";
import {
  CreateHTTPAccessLogsRequestSchema,
  HTTPAccessLogSchema,
} from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { Random } from "../../harness/random.ts";
import { randomMessage } from "./json/random_message.ts";

const LIMITS = { listItems: 5, textLength: 300 };

function errorOf(logs: readonly object[]): string | undefined {
  const bytes = toBinary(
    CreateHTTPAccessLogsRequestSchema,
    create(CreateHTTPAccessLogsRequestSchema, { httpAccessLogs: logs.map((log) => create(HTTPAccessLogSchema, log)) }),
  );
  try {
    checkMessage(CreateHTTPAccessLogsRequestSchema, bytes, LIMITS);
    return undefined;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return `${error.path}: ${error.message}`;
  }
}

describe("checkMessage", () => {
  test.each<[string, readonly object[], string | undefined]>([
    ["no items", [], undefined],
    ["five items", Array.from({ length: 5 }, () => ({})), undefined],
    ["six items", Array.from({ length: 6 }, () => ({})), "httpAccessLogs: must have at most 5 items"],
    [
      "a long text",
      [{}, { host: "x".repeat(301) }],
      "httpAccessLogs[1].host: must have at most 300 characters, got 301",
    ],
    ["a text of 300 characters and 600 bytes", [{ host: "ü".repeat(300) }], undefined],
    ["NUL in a map key", [{ cookie: { "a\0": "b" } }], "httpAccessLogs[0].cookie[0].key: must not contain NUL"],
    [
      "NUL in a nested message",
      [{ header: { a: { values: ["x", "\0"] } } }],
      "httpAccessLogs[0].header[0].value.values[1]: must not contain NUL",
    ],
    ["a long list", [{ tags: ["", "", "", "", "", ""] }], "httpAccessLogs[0].tags: must have at most 5 items"],
    [
      "a large map",
      [{ attrs: Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [n, ""])) }],
      "httpAccessLogs[0].attrs: must have at most 5 items",
    ],
  ])("%s", (_name, logs, error) => expect(errorOf(logs)).toBe(error));

  test("accepts every valid message, and no corrupted one that a decoder refuses", () => {
    const random = new Random(3);
    let refused = 0;
    for (let index = 0; index < 5000; index++) {
      const bytes = toBinary(HTTPAccessLogSchema, randomMessage(HTTPAccessLogSchema, random, 2));
      expect(() => checkMessage(HTTPAccessLogSchema, bytes, DEFAULT_LIMITS)).not.toThrow();
      if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
      try {
        checkMessage(HTTPAccessLogSchema, bytes, DEFAULT_LIMITS);
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
        refused++;
        continue;
      }
      expect(() => fromBinary(HTTPAccessLogSchema, bytes)).not.toThrow();
    }
    expect(refused).toBeGreaterThan(500);
  });
});

describe("WireReader", () => {
  test("reads 64-bit numbers from a part of the bytes", () => {
    const bytes = Uint8Array.of(9, 9, 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 16, 5, 9);
    const reader = new WireReader(bytes, 2, 15);
    expect([reader.next(), reader.field, reader.wireType, reader.int64()]).toEqual([true, 1, WireType.varint, -1n]);
    expect([reader.next(), reader.field, reader.int64(), reader.next()]).toEqual([true, 2, 5n, false]);
  });
});
