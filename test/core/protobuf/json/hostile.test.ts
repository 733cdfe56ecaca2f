import { toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { RpcError } from "../../../../core/base/errors.ts";
import { jsonCodec } from "../../../../core/protobuf/json/codec.ts";
import { parseJson } from "../../../../core/protobuf/json/parse.ts";
import { KitchenSinkSchema, TreeSchema } from "../../../fixtures/json/kitchen_sink_pb.ts";
import { Random } from "../../../harness/random.ts";
import { randomMessage } from "./random_message.ts";
import { errorMessage } from "./error_message.ts";

const sinks = jsonCodec(KitchenSinkSchema);

const cyclic: Record<string, unknown> = {};
cyclic["parent"] = cyclic;
cyclic["a"] = [cyclic];

const WEIRD: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -0,
  1.5,
  NaN,
  -Infinity,
  2 ** 53,
  1e300,
  5n,
  "",
  "\0",
  "\udfff",
  "x".repeat(1e5),
  "9".repeat(1e5),
  Symbol("x"),
  () => 1,
  new Date(),
  new Map([[1, 2]]),
  new Uint8Array(3),
  [],
  [[]],
  [null],
  [undefined],
  new Array(3),
  [Symbol("x")],
  {},
  { a: undefined },
  { a: 5n },
  { toJSON: () => 5n },
  { "": { "": "" } },
  { true: 1, "1": "x" },
  { rawJSON: "1" },
  Object.create(null),
  Object.create({ name: "inherited" }),
  parseJson('{"__proto__":{"__proto__":null}}'),
  parseJson("123456789012345678901"),
  parseJson("[-9007199254740993]"),
  cyclic,
  [cyclic],
];

/** Decodes a value. Accepted values must become a valid message; refused ones must cause an `invalid` error. */
function decodeOrRefuse(json: unknown): "accepted" | "refused" {
  let message;
  try {
    message = sinks.decode(json);
  } catch (error) {
    expect(error).toBeInstanceOf(RpcError);
    expect((error as RpcError).kind).toBe("invalid");
    expect((error as RpcError).message.length).toBeLessThan(600);
    return "refused";
  }
  toBinary(KitchenSinkSchema, message);
  sinks.decode(parseJson(sinks.encode(message)));
  return "accepted";
}

describe("hostile input", () => {
  test("of every weird kind is accepted or refused as a message", () => {
    for (const value of WEIRD) decodeOrRefuse(value);
  });

  test.each(KitchenSinkSchema.fields.map(({ name }) => name))("of every weird kind in the field %s", (name) => {
    const outcomes = WEIRD.flatMap((value) =>
      [value, [value], { a: value }, { "1": value }, { true: value }].map((nested) =>
        decodeOrRefuse({ [name]: nested })
      )
    );
    expect(new Set(outcomes)).toEqual(new Set(["accepted", "refused"]));
  });

  test("that is valid JSON with random changes is accepted or refused", () => {
    const random = new Random(7);
    for (let round = 0; round < 3000; round++) {
      const characters = [...sinks.encode(randomMessage(KitchenSinkSchema, random, 1))];
      for (let change = random.below(3); change >= 0; change--) {
        characters[random.below(characters.length)] = random.oneOf([
          '"',
          "{",
          "]",
          ",",
          "9",
          "-",
          "e",
          "null",
          "\\",
          "",
        ]);
      }
      let json: unknown;
      try {
        json = parseJson(characters.join(""));
      } catch (error) {
        expect(error).toMatchObject({ name: "RpcError", kind: "invalid" });
        continue;
      }
      decodeOrRefuse(json);
    }
  });

  test("that is cyclic is refused", () => {
    const trees = jsonCodec(TreeSchema);
    for (const json of [{ parent: cyclic }, { children: [cyclic] }]) {
      expect(errorMessage(() => trees.decode(json))).toContain("is nested deeper than 100 levels");
    }
    for (const name of ["accessLogJSON", "options", "anything"]) {
      expect(errorMessage(() => sinks.decode({ [name]: cyclic }))).toContain("is nested deeper than 100 levels");
    }
  });

  test("of a million keys or items is decoded", () => {
    const keys = Object.fromEntries(Array.from({ length: 1e6 }, (_, at) => [`key${at}`, "x"]));
    expect(sinks.decode(keys).name).toBe("");
    expect(Object.keys(sinks.decode({ labels: keys }).labels)).toHaveLength(1e6);
    expect(sinks.decode({ ids: new Array(1e6).fill(1) }).ids).toHaveLength(1e6);
    expect(errorMessage(() => sinks.decode({ ids: [...new Array(1e6).fill(1), "x"] }))).toMatch(/^ids\[1000000\]: /);
    expect(parseJson(`[${"9007199254740993,".repeat(1e5)}1]`)).toHaveLength(1e5 + 1);
  });
});
