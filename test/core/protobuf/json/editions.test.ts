import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { jsonCodec } from "../../../../core/protobuf/json/codec.ts";
import { EditionSchema } from "../../../fixtures/json/editions_pb.ts";

const codec = jsonCodec(EditionSchema);

test.each([
  ["{}", {}, '{"isOn":false,"ids":[]}'],
  ['{"size":0,"name":""}', { size: 0n, name: "" }, '{"name":"","size":0,"isOn":false,"ids":[]}'],
  ['{"size":"5","ids":[1]}', { size: 5n, ids: [1n] }, '{"size":5,"isOn":false,"ids":[1]}'],
  ['{"choiceId":0}', { choice: { case: "choiceId" as const, value: 0n } }, '{"isOn":false,"ids":[],"choiceId":0}'],
])("a message of an edition distinguishes set fields from defaults: %s", (text, init, encoded) => {
  const message = codec.decode(JSON.parse(text));
  expect(message).toStrictEqual(create(EditionSchema, init));
  expect(toBinary(EditionSchema, message)).toEqual(toBinary(EditionSchema, create(EditionSchema, init)));
  expect(codec.encode(message)).toBe(encoded);
  expect(codec.encode(init)).toBe(encoded);
});

test("a message of an edition returns defaults for fields that are not set", () => {
  expect(codec.decode({}).size).toBe(20n);
});
