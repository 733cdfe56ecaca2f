import { type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { jsonCodec } from "../../../../core/protobuf/json/codec.ts";
import { parseJson } from "../../../../core/protobuf/json/parse.ts";
import {
  KitchenSinkSchema,
  ListDomainsResponseSchema,
  OnlyOptionalSchema,
} from "../../../fixtures/json/kitchen_sink_pb.ts";
import { Random } from "../../../harness/random.ts";
import { randomMessage } from "./random_message.ts";

const schemas: DescMessage[] = [KitchenSinkSchema, OnlyOptionalSchema, ListDomainsResponseSchema];

describe.each(schemas)("a random $name", (desc) => {
  const codec = jsonCodec(desc, { unknownFields: "refuse" });

  test("is unchanged by a round trip through JSON", () => {
    const random = new Random(20260730);
    for (let round = 0; round < 400; round++) {
      const message = randomMessage(desc, random, 3);
      const text = codec.encode(message);
      const decoded = codec.decode(parseJson(text));
      expect(decoded).toStrictEqual(message);
      expect(toBinary(desc, decoded)).toEqual(toBinary(desc, message));
      expect(codec.encode(decoded)).toBe(text);
      expect(codec.encode(fromBinary(desc, toBinary(desc, message)))).toBe(text);
    }
  });
});
