import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { WireError } from "edgehelm/wire";
import { describe, expect, test } from "vitest";
import { ipKey } from "../../../plugins/http_access_log/contract/ip_key.ts";
import { logFields } from "../../../plugins/http_access_log/contract/log_fields.ts";
import {
  type HTTPAccessLog,
  HTTPAccessLogSchema,
} from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { Random } from "../../harness/random.ts";
import { randomMessage } from "../../core/protobuf/json/random_message.ts";

function encode(log: MessageInitShape<typeof HTTPAccessLogSchema>): Uint8Array {
  return toBinary(HTTPAccessLogSchema, create(HTTPAccessLogSchema, log));
}

/** Returns the fields that `logFields` must read from the encoded form of a log. */
function expected(log: HTTPAccessLog) {
  const { requestId, serverId, nodeId, status, firewallPolicyId, firewallRuleGroupId, firewallRuleSetId } = log;
  const { remoteAddr, scheme, proto, requestMethod, requestURI, requestPath, referer, userAgent, tags } = log;
  return {
    ...{ requestId, serverId, nodeId, status, firewallPolicyId, firewallRuleGroupId, firewallRuleSetId },
    ...{ remoteAddr, scheme, proto, requestMethod, requestURI, requestPath, referer, userAgent, tags },
    ipKey: ipKey(remoteAddr) ?? "",
    host: log.host.toLowerCase().replace(/:\d+$/, ""),
  };
}

function read(bytes: Uint8Array): ReturnType<typeof expected> {
  const fields = logFields(bytes);
  const { requestId, serverId, nodeId, status, firewallPolicyId, firewallRuleGroupId, firewallRuleSetId } = fields;
  const { remoteAddr, scheme, proto, requestMethod, requestURI, requestPath, referer, userAgent } = fields;
  return {
    ...{ requestId, serverId, nodeId, status, firewallPolicyId, firewallRuleGroupId, firewallRuleSetId },
    ...{ remoteAddr, scheme, proto, requestMethod, requestURI, requestPath, referer, userAgent },
    ...{ tags: [...fields.tags], ipKey: fields.ipKey, host: fields.host },
  };
}

describe("logFields", () => {
  test("reads the same as a decoder from 3000 random logs", () => {
    const random = new Random(1);
    for (let index = 0; index < 3000; index++) {
      const log = randomMessage(HTTPAccessLogSchema, random, 2);
      expect(read(toBinary(HTTPAccessLogSchema, log))).toEqual(expected(log));
    }
  });

  test("reads the same as a decoder from corrupted, truncated or random bytes, or throws", () => {
    const random = new Random(2);
    let [same, refused] = [0, 0];
    for (let index = 0; index < 20_000; index++) {
      const bytes = corrupted(random);
      let fields: ReturnType<typeof expected>;
      try {
        fields = read(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
        refused++;
        continue;
      }
      const decoded = tryDecode(bytes);
      if (decoded === undefined) continue;
      expect(fields).toEqual(expected(decoded));
      same++;
    }
    expect(same).toBeGreaterThan(1000);
    expect(refused).toBeGreaterThan(1000);
  });

  test("uses the last occurrence of a field, collects all tags, and ignores unknown fields", () => {
    const unknown = Uint8Array.of(0xf8, 0x3f, 1, 0xfb, 0x3f, 0x08, 1, 0xfc, 0x3f, 0xfd, 0x3f, 1, 2, 3, 4);
    const bytes = Uint8Array.from([
      ...encode({ host: "first.test", status: 200, tags: ["a"] }),
      ...unknown,
      ...encode({ host: "Last.test:80", status: -1, tags: ["b"] }),
    ]);
    expect(logFields(bytes)).toMatchObject({ host: "last.test", status: -1, tags: ["a", "b"] });
  });

  test("truncates long texts without splitting a surrogate pair", () => {
    const requestURI = `/${"x".repeat(1998)}😀${"y".repeat(50_000)}`;
    expect(logFields(encode({ requestURI })).requestURI).toBe(requestURI.slice(0, 1999));
    expect(logFields(encode({ requestURI: `${requestURI}`.slice(1) })).requestURI).toBe(requestURI.slice(1, 2001));
  });

  test.each([
    ["a NUL", encode({ host: "a\0b" })],
    ["a NUL after other characters", encode({ userAgent: "ü\0" })],
    ["an unexpected continuation byte", textField(27, [0x80])],
    ["an incomplete character", textField(27, [0x61, 0xc3])],
    ["an overlong encoding of two bytes", textField(27, [0xc0, 0xaf])],
    ["an overlong encoding of three bytes", textField(27, [0xe0, 0x80, 0xaf])],
    ["an encoded surrogate", textField(27, [0xed, 0xa0, 0x80])],
    ["a code point above the maximum", textField(27, [0xf4, 0x90, 0x80, 0x80])],
    ["a text encoded as a varint", Uint8Array.of(27 << 3 & 0x7f | 0x80, 27 >> 4, 5)],
    ["a number encoded as bytes", Uint8Array.of(1 << 3 | 2, 1, 65)],
    ["field 0", Uint8Array.of(0, 0)],
    ["an unknown wire type", Uint8Array.of(1 << 3 | 7)],
    ["an unexpected end of a group", Uint8Array.of(1 << 3 | 4)],
    ["a group without an end", Uint8Array.of(0xfb, 0x3f, 0x08, 1)],
    ["a length beyond the end", Uint8Array.of(6 << 3 | 2, 4, 65)],
    ["an excessive length", Uint8Array.of(6 << 3 | 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)],
    ["a varint of 11 bytes", Uint8Array.of(8, ...Array.from({ length: 10 }, () => 0x80), 1)],
    ["a truncated varint", Uint8Array.of(8, 0x80)],
    ["a truncated 64-bit number", Uint8Array.of(13 << 3 | 1, 1, 2, 3)],
    ["deeply nested groups", Uint8Array.from({ length: 400 }, (_, index) => index % 2 === 0 ? 0xfb : 0x3f)],
  ])("refuses %s", (_name, bytes) => {
    expect(() => logFields(bytes)).toThrow(WireError);
  });
});

describe("ipKey", () => {
  test.each([
    ["10.0.0.1", "00000000000000000000ffff0a000001"],
    ["010.0.0.1", "00000000000000000000ffff0a000001"],
    ["255.255.255.255", "00000000000000000000ffffffffffff"],
    [" [2001:DB8::1] ", "20010db8000000000000000000000001"],
    ["::ffff:10.0.0.1", "00000000000000000000ffff0a000001"],
    ["256.0.0.1", undefined],
    ["1.2.3", undefined],
    ["1.2.3.4.5", undefined],
    ["0001.2.3.4", undefined],
    ["1..2.3", undefined],
    ["1.2.3.4a", undefined],
    ["", undefined],
    [":::", undefined],
  ])("returns the key of %j", (text, key) => expect(ipKey(text)).toBe(key));
});

function textField(field: number, text: readonly number[]): Uint8Array {
  return Uint8Array.of(field << 3 & 0x7f | 2 | 0x80, field >> 4, text.length, ...text);
}

function corrupted(random: Random): Uint8Array {
  if (random.below(10) === 0) return Uint8Array.from(random.list(40, () => random.below(256)));
  const bytes = toBinary(HTTPAccessLogSchema, randomMessage(HTTPAccessLogSchema, random, 1));
  if (bytes.length === 0 || random.below(4) === 0) return bytes.subarray(0, random.below(bytes.length + 1));
  for (let count = 1 + random.below(3); count > 0; count--) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

/** Decodes a log; undefined if that fails, since `logFields` does not check the content of other fields. */
function tryDecode(bytes: Uint8Array): HTTPAccessLog | undefined {
  try {
    return fromBinary(HTTPAccessLogSchema, bytes);
  } catch {
    return undefined;
  }
}
