import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { jsonCodec } from "../../../../core/protobuf/json/codec.ts";
import { parseJson } from "../../../../core/protobuf/json/parse.ts";
import {
  Color,
  CreateDomainRequestSchema,
  InstallationConfigSchema,
  KitchenSinkSchema,
  TreeSchema,
} from "../../../fixtures/json/kitchen_sink_pb.ts";
import { errorMessage } from "./error_message.ts";

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
    ['{"name":"first","NAME":"last"}', { name: "last" }],
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
    ['{"choiceId":5,"CHOICEID":6}', { choice: { case: "choiceId", value: 6n } }],
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

  test.each([
    ["[]", "Decode request failed: expected a JSON object, got an array"],
    ["null", "Decode request failed: expected a JSON object, got null"],
    ['"{}"', 'Decode request failed: expected a JSON object, got "{}"'],
    ["9007199254740993", "Decode request failed: expected a JSON object, got 9007199254740993"],
    ['{"int64Value":1.5}', "int64Value: expected an integer from -9223372036854775808 to 9223372036854775807, got 1.5"],
    [
      '{"int64Value":9007199254740993}',
      "int64Value: 9007199254740993 cannot be represented exactly as a JSON number; send it as a string",
    ],
    [
      '{"int64Value":-1e17}',
      "int64Value: -100000000000000000 cannot be represented exactly as a JSON number; send it as a string",
    ],
    [
      '{"textualId":9007199254740993}',
      "textualId: 9007199254740993 cannot be represented exactly as a JSON number; send it as a string",
    ],
    ['{"int64Value":9223372036854775808}', /^int64Value: expected an integer from .*, got 9223372036854775808$/],
    ['{"int64Value":9007199254740993.5}', /^int64Value: expected an integer from .*, got 9007199254740993\.5$/],
    ['{"int64Value":1e400}', /^int64Value: expected an integer from .*, got Infinity$/],
    ['{"int64Value":"9223372036854775808"}', /^int64Value: expected an integer/],
    ['{"int64Value":"1e3"}', /^int64Value: expected an integer from .*, got "1e3"$/],
    ['{"int64Value":"007"}', /^int64Value: expected an integer/],
    ['{"int64Value":"+7"}', /^int64Value: expected an integer/],
    ['{"int64Value":" 7"}', /^int64Value: expected an integer/],
    ['{"int64Value":"0x7"}', /^int64Value: expected an integer/],
    ['{"int64Value":"1.0"}', /^int64Value: expected an integer/],
    ['{"int64Value":""}', /^int64Value: expected an integer from .*, got ""$/],
    ['{"int64Value":true}', /^int64Value: expected an integer from .*, got true$/],
    ['{"int64Value":{}}', /^int64Value: expected an integer from .*, got an object$/],
    ['{"uint64Value":-1}', "uint64Value: expected an integer from 0 to 18446744073709551615, got -1"],
    ['{"int32Value":2147483648}', "int32Value: expected an integer from -2147483648 to 2147483647, got 2147483648"],
    ['{"int32Value":9007199254740993}', /^int32Value: expected an integer from .*, got 9007199254740993$/],
    ['{"uint32Value":"-1"}', /^uint32Value: expected an integer from 0 to 4294967295, got "-1"$/],
    ['{"doubleValue":"1e3"}', 'doubleValue: expected a number, got "1e3"'],
    ['{"doubleValue":1e400}', /^doubleValue: expected a number from .*, got Infinity$/],
    ['{"floatValue":1e39}', /^floatValue: expected a number from .*, got 1e\+39$/],
    ['{"doubleValue":true}', "doubleValue: expected a number, got true"],
    ['{"isOn":"x"}', 'isOn: expected true or false, got "x"'],
    ['{"isOn":1}', "isOn: expected true or false, got 1"],
    ['{"isOn":"true"}', 'isOn: expected true or false, got "true"'],
    ['{"name":1}', "name: expected a string, got 1"],
    ['{"name":"a\\u0000b"}', "name: must not contain NUL"],
    ['{"name":"\\ud800"}', "name: must be well-formed Unicode, got a lone surrogate"],
    ['{"isOn":"' + "y".repeat(100) + '"}', `isOn: expected true or false, got "${"y".repeat(60)}..."`],
    ['{"data":"A"}', 'data: expected base64, got "A"'],
    ['{"data":{}}', "data: expected base64, got an object"],
    ['{"accessLogJSON":"{}"}', 'accessLogJSON: expected base64, got "{}"'],
    ['{"accessLogJSON":5}', "accessLogJSON: expected base64, a JSON object or a JSON array, got 5"],
    ['{"accessLogJSON":9007199254740993}', /^accessLogJSON: expected base64, .*, got 9007199254740993$/],
    ['{"accessLogJSON":{"a":[1e400]}}', "accessLogJSON.a[0]: expected JSON, got Infinity"],
    ['{"accessLogJSON":{"a":"\\u0000"}}', "accessLogJSON.a: must not contain NUL"],
    ['{"color":"PINK"}', 'color: expected an integer or a name of Color, got "PINK"'],
    ['{"color":1.5}', "color: expected an integer or a name of Color, got 1.5"],
    ['{"tree":[]}', "tree: expected a JSON object, got an array"],
    ['{"tree":9007199254740993}', "tree: expected a JSON object, got 9007199254740993"],
    ['{"TREE":{"CHILDREN":[{},{"Name":5}]}}', "tree.children[1].name: expected a string, got 5"],
    ['{"ids":5}', "ids: expected a JSON array, got 5"],
    ['{"ids":{"0":1}}', "ids: expected a JSON array, got an object"],
    ['{"ids":[1,null]}', /^ids\[1\]: expected an integer from .*, got null$/],
    ['{"labels":[]}', "labels: expected a JSON object, got an array"],
    ['{"labels":{"a":null}}', "labels.a: expected a string, got null"],
    ['{"labels":{"a.b":1}}', 'labels["a.b"]: expected a string, got 1'],
    ['{"labels":{"\\u0000":"a"}}', 'labels["\\u0000"]: must not contain NUL'],
    ['{"counts":{"x":1}}', /^counts\.x: expected an integer from .*, got "x"$/],
    ['{"byFlag":{"1":1}}', 'byFlag.1: expected true or false as key, got "1"'],
    ['{"choiceId":1,"choiceName":"x"}', "choiceName: conflicts with choiceId: only one field of choice may be set"],
    ['{"options":[]}', "options: expected a JSON object, got an array"],
    ['{"options":{"a":["\\ud800"]}}', "options.a[0]: must be well-formed Unicode, got a lone surrogate"],
    ['{"list":{}}', "list: expected a JSON array, got an object"],
    ['{"wrappedInt64":{"value":1}}', /^wrappedInt64: expected an integer/],
  ])("refuses %s", (text, message) => {
    const actual = errorMessage(() => sinks.decode(parseJson(text)));
    if (typeof message === "string") expect(actual).toBe(message);
    else expect(actual).toMatch(message);
  });

  test("refuses numbers that JSON.parse may have rounded", () => {
    expect(errorMessage(() => jsonCodec(CreateDomainRequestSchema).decode({ nsClusterId: 2 ** 53 })))
      .toBe("nsClusterId: 9007199254740992 cannot be represented exactly as a JSON number; send it as a string");
  });

  test("limits the nesting depth of messages and plain JSON", () => {
    const trees = jsonCodec(TreeSchema);
    const nested = (depth: number): unknown => depth === 1 ? {} : { parent: nested(depth - 1) };
    expect(() => trees.decode(nested(100))).not.toThrow();
    expect(errorMessage(() => trees.decode(nested(101)))).toMatch(
      /^parent\.parent\..*\.\.\..*parent: is nested deeper than 100 levels$/,
    );
    const shallow = jsonCodec(KitchenSinkSchema, { maxDepth: 3 });
    expect(() => shallow.decode({ accessLogJSON: [[]], ids: [], tree: { children: [] } })).not.toThrow();
    expect(errorMessage(() => shallow.decode({ accessLogJSON: [[[]]] }))).toBe(
      "accessLogJSON[0][0]: is nested deeper than 3 levels",
    );
    expect(errorMessage(() => shallow.decode({ tree: { children: [{}] } })))
      .toBe("tree.children[0]: is nested deeper than 3 levels");
  });
});

describe("a strict codec", () => {
  const configs = jsonCodec(InstallationConfigSchema, { unknownFields: "refuse" });

  test.each([
    [{ http: { hots: "x" } }, 'http.hots: is not a known field; did you mean "host"?'],
    [
      { plugins: [{}, { config: { maxPerUsr: 1 } }] },
      'plugins[1].config.maxPerUsr: is not a known field; did you mean "maxPerUser"?',
    ],
    [{ http: { elephants: 1 } }, "http.elephants: is not a known field; known fields: host, port"],
    [{ "a b": null }, '["a b"]: is not a known field; known fields: http, plugins'],
    [{ ["x".repeat(1000)]: 1 }, `["${"x".repeat(60)}..."]: is not a known field; known fields: http, plugins`],
  ])("refuses %o", (json, message) => {
    expect(errorMessage(() => configs.decode(json))).toBe(message);
  });

  test("prefixes errors with the given path", () => {
    expect(errorMessage(() => configs.decode({ http: { port: -1 } }, "manifest")))
      .toBe("manifest.http.port: expected an integer from 0 to 4294967295, got -1");
    expect(errorMessage(() => configs.decode([], "plugins[3].config"))).toBe(
      "plugins[3].config: expected a JSON object, got an array",
    );
  });

  test("accepts the same spellings as other codecs", () => {
    expect(configs.decode({ HTTP: { Port: "80" } }).http?.port).toBe(80);
  });
});

test("jsonCodec caches one codec per message type and options", () => {
  expect(jsonCodec(TreeSchema)).toBe(jsonCodec(TreeSchema, { unknownFields: "ignore", maxDepth: 100 }));
  expect(jsonCodec(TreeSchema)).not.toBe(jsonCodec(TreeSchema, { unknownFields: "refuse" }));
  expect(jsonCodec(TreeSchema)).not.toBe(jsonCodec(TreeSchema, { maxDepth: 5 }));
});
