import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { jsonCodec } from "../../../../core/protobuf/json/codec.ts";
import { constantMessage } from "../../../../core/protobuf/json/constant_message.ts";
import {
  Color,
  CreateDomainResponseSchema,
  KitchenSinkSchema,
  OnlyOptionalSchema,
} from "../../../fixtures/json/kitchen_sink_pb.ts";

type Sink = MessageInitShape<typeof KitchenSinkSchema>;

const sinks = jsonCodec(KitchenSinkSchema);
const zero = JSON.parse(sinks.encode({}));

const ZERO_TEXT = '{"doubleValue":0,"floatValue":0,"int64Value":0,"uint64Value":0,"int32Value":0,"fixed64Value":0,' +
  '"fixed32Value":0,"isOn":false,"name":"","data":"","uint32Value":0,"sfixed32Value":0,"sfixed64Value":0,' +
  '"sint32Value":0,"sint64Value":0,"color":0,"accessLogJSON":"","Modules":[],"snake_case_name":"","ids":[],' +
  '"flags":[],"blobs":[],"colors":[],"trees":[],"ratios":[],"refsJSON":[],"labels":{},"counts":{},"byFlag":{},' +
  '"treesByName":{},"blobsByName":{},"ratiosById":{},"optionsList":[],"constructor":"","textualId":0}';

describe("encode", () => {
  test("writes zero values, empty lists and maps with the names and the order of the proto, and no absent fields", () => {
    expect(sinks.encode({})).toBe(ZERO_TEXT);
    expect(sinks.encode(create(KitchenSinkSchema))).toBe(ZERO_TEXT);
  });

  test.each<[Sink, string]>([
    [{ int64Value: 12n }, '"int64Value":12'],
    [{ int64Value: 12 as unknown as bigint }, '"int64Value":12'],
    [{ int64Value: 9007199254740991n }, '"int64Value":9007199254740991'],
    [{ int64Value: -9007199254740991n }, '"int64Value":-9007199254740991'],
    [{ int64Value: 9007199254740992n }, '"int64Value":"9007199254740992"'],
    [{ int64Value: -9007199254740993n }, '"int64Value":"-9007199254740993"'],
    [{ int64Value: -(2n ** 63n) }, '"int64Value":"-9223372036854775808"'],
    [{ uint64Value: 2n ** 64n - 1n }, '"uint64Value":"18446744073709551615"'],
    [{ textualId: "12" }, '"textualId":12'],
    [{ textualId: "9007199254740993" }, '"textualId":"9007199254740993"'],
    [{ int32Value: -2147483648 }, '"int32Value":-2147483648'],
    [{ uint32Value: 4294967295 }, '"uint32Value":4294967295'],
    [{ doubleValue: 1.5 }, '"doubleValue":1.5'],
    [{ doubleValue: -0 }, '"doubleValue":-0'],
    [{ doubleValue: 1e300 }, '"doubleValue":1e+300'],
    [{ doubleValue: NaN }, '"doubleValue":"NaN"'],
    [{ doubleValue: Infinity }, '"doubleValue":"Infinity"'],
    [{ floatValue: -Infinity }, '"floatValue":"-Infinity"'],
    [{ isOn: true }, '"isOn":true'],
    [{ name: "example.com" }, '"name":"example.com"'],
    [{ name: 'a"b\\c\n\u2028ü😀' }, '"name":"a\\"b\\\\c\\n\u2028ü😀"'],
    [{ name: "\ud800" }, '"name":"\\ud800"'],
    [{ name: `${"x".repeat(100)}"` }, `"name":"${"x".repeat(100)}\\""`],
    [{ name: "x".repeat(100) }, `"name":"${"x".repeat(100)}"`],
    [{ data: new Uint8Array([255, 254]) }, '"data":"//4="'],
    [{ color: Color.INFRARED }, '"color":-1'],
    [{ color: 77 as Color }, '"color":77'],
    [{ snakeCaseName: "s" }, '"snake_case_name":"s"'],
    [{ constructor$: "c" }, '"constructor":"c"'],
    [{ empty: {} }, '"empty":{}'],
    [{ tree: { name: "a", parent: {} } }, '"tree":{"name":"a","children":[],"parent":{"name":"","children":[]}}'],
    [{ ids: [1n, 2n ** 60n] }, '"ids":[1,"1152921504606846976"]'],
    [{ flags: [true, false], colors: [1] }, '"flags":[true,false],"blobs":[],"colors":[1]'],
    [{ labels: { 'a"': "b", __proto__x: "c" } }, '"labels":{"a\\"":"b","__proto__x":"c"}'],
    [{ counts: { "-5": 5n } }, '"counts":{"-5":5}'],
    [{ treesByName: { x: {} } }, '"treesByName":{"x":{"name":"","children":[]}}'],
    [{ optionalInt64: 0n, optionalName: "" }, '"optionalInt64":0,"optionalName":""'],
    [{ optionalFlag: false, optionalData: new Uint8Array() }, '"optionalFlag":false,"optionalData":""'],
    [{ choice: { case: "choiceId", value: 0n } }, '"choiceId":0'],
    [{ choice: { case: "choiceTree", value: {} } }, '"choiceTree":{"name":"","children":[]}'],
    [{ options: { a: [1, null, { b: true }] } }, '"options":{"a":[1,null,{"b":true}]}'],
    [{ anything: { kind: { case: "stringValue", value: "x" } } }, '"anything":"x"'],
    [{ list: { values: [{ kind: { case: "numberValue", value: 1 } }] } }, '"list":[1]'],
    [{ wrappedInt64: 5n, wrappedName: "" }, '"wrappedInt64":5,"wrappedName":""'],
    [{ optionsList: [{}, { a: 1 }] }, '"optionsList":[{},{"a":1}]'],
  ])("writes %o as %s", (init, members) => {
    const text = sinks.encode(init);
    expect(text).toContain(members);
    expect(JSON.parse(text)).toEqual({ ...zero, ...JSON.parse(`{${members}}`) });
    expect(sinks.encode(create(KitchenSinkSchema, init))).toBe(text);
  });

  test("writes valid commas if the first fields are absent", () => {
    const codec = jsonCodec(OnlyOptionalSchema);
    expect(codec.encode({})).toBe("{}");
    expect(codec.encode({ id: 1n })).toBe('{"id":1}');
    expect(codec.encode({ tree: {}, id: 1n })).toBe('{"tree":{"name":"","children":[]},"id":1}');
    expect(codec.encode({ name: "" })).toBe('{"name":""}');
  });

  test("treats null and undefined as missing", () => {
    const init = { nsDomainId: null } as unknown as MessageInitShape<typeof CreateDomainResponseSchema>;
    expect(jsonCodec(CreateDomainResponseSchema).encode(init)).toBe('{"nsDomainId":0}');
    expect(sinks.encode({ optionalName: undefined, tree: undefined } as unknown as Sink)).toBe(ZERO_TEXT);
  });

  test.each<[string, object, string]>([
    ["int64Value", { int64Value: 1.5 }, "an integer from -9223372036854775808 to 9223372036854775807"],
    ["int64Value", { int64Value: 2 ** 53 }, "an integer from"],
    ["int64Value", { int64Value: 2n ** 63n }, "an integer from"],
    ["uint64Value", { uint64Value: -1n }, "an integer from 0 to"],
    ["uint64Value", { uint64Value: -1 }, "an integer from 0 to"],
    ["int32Value", { int32Value: 1n }, "an integer from -2147483648 to 2147483647"],
    ["int32Value", { int32Value: 2 ** 31 }, "an integer from"],
    ["uint32Value", { uint32Value: -1 }, "an integer from"],
    ["doubleValue", { doubleValue: "1" }, "a number"],
    ["isOn", { isOn: 1 }, "a boolean"],
    ["name", { name: 1 }, "a string"],
    ["data", { data: "AA==" }, "a Uint8Array"],
    ["data", { data: [1] }, "a Uint8Array"],
    ["color", { color: "RED" }, "an integer from"],
    ["tree", { tree: [] }, "an object"],
    ["tree", { tree: "x" }, "an object"],
    ["ids", { ids: 1n }, "an array"],
    ["ids", { ids: [null] }, "an integer from"],
    ["trees", { trees: [null] }, "an object"],
    ["labels", { labels: ["a"] }, "an object"],
    ["labels", { labels: { a: 1 } }, "a string"],
    ["choiceId", { choice: { case: "choiceId", value: "x" } }, "an integer from"],
    ["options", { options: { a: 1n } }, "plain JSON"],
    ["options", { options: [] }, "an object"],
    ["anything", { anything: { kind: { case: "numberValue", value: NaN } } }, "plain JSON"],
  ])("refuses a wrong %s: %o", (field, init, expected) => {
    const work = () => sinks.encode(init as Sink);
    expect(work).toThrow(TypeError);
    expect(work).toThrow(`edgehelm.test.KitchenSink.${field}: expected ${expected}`);
  });

  test("converts a constant message once, wherever it stands", () => {
    const tree = { name: "root" };
    constantMessage(tree);
    const both = { tree, trees: [tree, { name: "leaf" }, tree] };
    const text = sinks.encode(both);
    expect(text).toBe(sinks.encode(structuredClone(both)));
    tree.name = "changed against its promise";
    expect(sinks.encode(both)).toBe(text);
  });

  test("names the invalid field of a nested message in the error, but not its value", () => {
    const init = { tree: { children: [{ name: 42 }] } } as unknown as Sink;
    expect(() => sinks.encode(init)).toThrow("edgehelm.test.Tree.name: expected a string, got a value of type number");
    expect(() => sinks.encode(null as unknown as Sink)).toThrow(
      "edgehelm.test.KitchenSink: expected an object, got null",
    );
  });
});
