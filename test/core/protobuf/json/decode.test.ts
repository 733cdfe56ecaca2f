import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { jsonCodec } from "../../../../core/protobuf/json/codec.ts";
import { parseJson } from "../../../../core/protobuf/json/parse.ts";
import { Color, KitchenSinkSchema, TreeSchema } from "../../../fixtures/json/kitchen_sink_pb.ts";

const sinks = jsonCodec(KitchenSinkSchema);
const utf8 = (text: string) => new TextEncoder().encode(text);

describe("decode", () => {
  test.each<[string, MessageInitShape<typeof KitchenSinkSchema>]>([
    ["{}", {}],
    ['{"unknown":1,"another":{"name":5}}', {}],
    ['{"__proto__":{"name":"x"},"constructor":"c"}', { constructor$: "c" }],
    ['{"name":null,"ids":null,"labels":null,"tree":null,"isOn":null,"data":null,"int64Value":null}', {}],
    ['{"int64Value":5}', { int64Value: 5n }],
    ['{"int64Value":-9007199254740991}', { int64Value: -9007199254740991n }],
    ['{"int64Value":1.0}', { int64Value: 1n }],
    ['{"int64Value":1e3}', { int64Value: 1000n }],
    ['{"int64Value":-0}', { int64Value: 0n }],
    ['{"int64Value":"-9223372036854775808"}', { int64Value: -(2n ** 63n) }],
    ['{"int64Value":"9223372036854775807"}', { int64Value: 2n ** 63n - 1n }],
    ['{"uint64Value":"18446744073709551615"}', { uint64Value: 2n ** 64n - 1n }],
    ['{"fixed64Value":"7","sfixed64Value":-7,"sint64Value":"-7"}', {
      fixed64Value: 7n,
      sfixed64Value: -7n,
      sint64Value: -7n,
    }],
    ['{"int32Value":-2147483648}', { int32Value: -2147483648 }],
    ['{"int32Value":"2147483647"}', { int32Value: 2147483647 }],
    ['{"int32Value":-0}', { int32Value: 0 }],
    ['{"uint32Value":4294967295}', { uint32Value: 4294967295 }],
    ['{"sint32Value":"-0"}', { sint32Value: 0 }],
    ['{"fixed32Value":1,"sfixed32Value":"-1"}', { fixed32Value: 1, sfixed32Value: -1 }],
    ['{"textualId":12}', { textualId: "12" }],
    ['{"textualId":"9007199254740993"}', { textualId: "9007199254740993" }],
    ['{"doubleValue":1.5}', { doubleValue: 1.5 }],
    ['{"doubleValue":"-12.25"}', { doubleValue: -12.25 }],
    ['{"doubleValue":123456789012345678901234567890}', { doubleValue: 1.2345678901234568e29 }],
    ['{"doubleValue":"NaN","floatValue":"-Infinity"}', { doubleValue: NaN, floatValue: -Infinity }],
    ['{"floatValue":0.5}', { floatValue: 0.5 }],
    ['{"isOn":true}', { isOn: true }],
    ['{"name":"é😀\\n"}', { name: "é😀\n" }],
    ['{"data":"AQI="}', { data: new Uint8Array([1, 2]) }],
    ['{"data":"_w"}', { data: new Uint8Array([255]) }],
    ['{"color":2}', { color: Color.GREEN }],
    ['{"color":"INFRARED"}', { color: Color.INFRARED }],
    ['{"color":"1"}', { color: Color.RED }],
    ['{"color":77}', { color: 77 as Color }],
    ['{"Modules":["a"]}', { Modules: ["a"] }],
    ['{"modules":["a"]}', { Modules: ["a"] }],
    ['{"snake_case_name":"s"}', { snakeCaseName: "s" }],
    ['{"snakeCaseName":"s"}', { snakeCaseName: "s" }],
    ['{"SNAKE_CASE_NAME":"s"}', { snakeCaseName: "s" }],
    ['{"snakecasename":"s"}', { snakeCaseName: "s" }],
    ['{"INT64VALUE":1,"IsOn":true}', { int64Value: 1n, isOn: true }],
    ['{"accessLogJSON":{"isOn":true,"ids":[1,9007199254740993]}}', {
      accessLogJSON: utf8('{"isOn":true,"ids":[1,9007199254740993]}'),
    }],
    ['{"accessLogJSON":[ 1, null ]}', { accessLogJSON: utf8("[1,null]") }],
    ['{"accessLogJSON":{"__proto__":{"a":1}}}', { accessLogJSON: utf8('{"__proto__":{"a":1}}') }],
    ['{"accessLogJSON":"bnVsbA=="}', { accessLogJSON: utf8("null") }],
    ['{"accessLogJSON":null}', {}],
    ['{"accesslogjson":{}}', { accessLogJSON: utf8("{}") }],
    ['{"refsJSON":[{"isOn":false},"e30="]}', { refsJSON: [utf8('{"isOn":false}'), utf8("{}")] }],
    ['{"choiceJSON":{}}', { choice: { case: "choiceJSON", value: utf8("{}") } }],
    ['{"choiceId":"5","choiceName":null}', { choice: { case: "choiceId", value: 5n } }],
    ['{"ids":[1,"2"],"flags":[true],"blobs":["AA"],"colors":["RED",2]}', {
      ids: [1n, 2n],
      flags: [true],
      blobs: [new Uint8Array(1)],
      colors: [1, 2],
    }],
    ['{"labels":{"a":"b","":"c"}}', { labels: { a: "b", "": "c" } }],
    ['{"counts":{"-5":"5","7":7},"byFlag":{"true":1,"false":"GREEN"}}', {
      counts: { "-5": 5n, "7": 7n },
      byFlag: { true: 1, false: 2 },
    }],
    ['{"treesByName":{"x":{"name":"y"}},"blobsByName":{"b":"AA=="}}', {
      treesByName: { x: { name: "y" } },
      blobsByName: { b: new Uint8Array(1) },
    }],
    ['{"tree":{"Children":[{},{"name":"b"}],"parent":{}}}', { tree: { children: [{}, { name: "b" }], parent: {} } }],
    ['{"optionalInt64":0,"optionalName":"","optionalFlag":null}', { optionalInt64: 0n, optionalName: "" }],
    ['{"wrappedInt64":"5","wrappedName":""}', { wrappedInt64: 5n, wrappedName: "" }],
    ['{"options":{"a":[1,{"b":null}],"n":9007199254740993}}', {
      options: { a: [1, { b: null }], n: 9007199254740992 },
    }],
    ['{"optionsList":[{"a":true}]}', { optionsList: [{ a: true }] }],
    ['{"anything":null}', { anything: { kind: { case: "nullValue", value: 0 } } }],
    ['{"anything":"x"}', { anything: { kind: { case: "stringValue", value: "x" } } }],
    ['{"list":[1]}', { list: { values: [{ kind: { case: "numberValue", value: 1 } }] } }],
  ])("decodes %s", (text, init) => {
    const message = sinks.decode(parseJson(text));
    const expected = create(KitchenSinkSchema, init);
    expect(message).toStrictEqual(expected);
    expect(toBinary(KitchenSinkSchema, message)).toEqual(toBinary(KitchenSinkSchema, expected));
  });

  test("creates separate lists, maps and oneofs for each message", () => {
    const first = sinks.decode({});
    const second = sinks.decode({});
    first.ids.push(1n);
    first.labels["a"] = "b";
    first.choice.case = "choiceId";
    expect(second).toStrictEqual(create(KitchenSinkSchema));
  });

  test("treats __proto__ as an ordinary map key", () => {
    const { labels, counts } = sinks.decode(parseJson('{"labels":{"__proto__":"x"},"counts":{}}'));
    expect(Object.keys(labels)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(counts)).toBe(Object.prototype);
    expect(sinks.encode({ labels })).toContain('"labels":{"__proto__":"x"}');
  });
});

test("jsonCodec caches one codec per message type and options", () => {
  expect(jsonCodec(TreeSchema)).toBe(jsonCodec(TreeSchema, { unknownFields: "ignore", maxDepth: 100 }));
  expect(jsonCodec(TreeSchema)).not.toBe(jsonCodec(TreeSchema, { unknownFields: "refuse" }));
  expect(jsonCodec(TreeSchema)).not.toBe(jsonCodec(TreeSchema, { maxDepth: 5 }));
});
