import { describe, expect, test } from "vitest";
import { jsonCodec } from "../../../../core/protobuf/json/codec.ts";
import { parseJson } from "../../../../core/protobuf/json/parse.ts";
import { CreateDomainRequestSchema, KitchenSinkSchema, TreeSchema } from "../../../fixtures/json/kitchen_sink_pb.ts";
import { errorMessage } from "./error_message.ts";

const sinks = jsonCodec(KitchenSinkSchema);

describe("decode", () => {
  test.each([
    ["[]", "Decode request failed: expected a JSON object, got an array"],
    ['{"name":"first","NAME":"last"}', "name: is given twice, in different spellings"],
    ['{"NAME":"first","x":1,"Name":"last"}', "name: is given twice, in different spellings"],
    ['{"ids":[1],"CHOICEID":5,"choiceId":6}', "choiceId: is given twice, in different spellings"],
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
