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
])("a message of an edition keeps what is set apart from its defaults: %s", (text, init, written) => {
  const message = codec.decode(JSON.parse(text));
  expect(message).toStrictEqual(create(EditionSchema, init));
  expect(toBinary(EditionSchema, message)).toEqual(toBinary(EditionSchema, create(EditionSchema, init)));
  expect(codec.encode(message)).toBe(written);
  expect(codec.encode(init)).toBe(written);
});

test("a message of an edition answers with the default of what is not set", () => {
  expect(codec.decode({}).size).toBe(20n);
});
