import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { requireWithinRules } from "../../../core/calls/request_rules.ts";
import { TreeSchema } from "../../fixtures/json/kitchen_sink_pb.ts";

const rules = { listItems: 3, textLength: 20 };

function messageOf(request: unknown): string | undefined {
  try {
    requireWithinRules(request, rules);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test("a request within the limits passes, with bytes of any length", () => {
  expect(
    messageOf({
      $typeName: "any message",
      name: "12345678901234567890",
      list: [1, 2, 3],
      nested: { a: ["12345678901234567890"] },
      bytes: new Uint8Array(100),
    }),
  ).toBeUndefined();
  expect(messageOf(create(TreeSchema, { children: [{}, {}] }))).toBeUndefined();
});

test.each([
  [{ name: "123456789012345678901" }, "name: must have at most 20 characters, got 21"],
  [{ list: [1, 2, 3, 4] }, "list: must have at most 3 items, got 4"],
  [{ list: ["a", { deep: ["123456789012345678901"] }] }, "list[1].deep[0]: must have at most 20 characters, got 21"],
  [{ map: { a: 1, b: 2, c: 3, d: 4 } }, "map: must have at most 3 items, got 4"],
])("%j is refused, naming the path", (request, message) => {
  expect(messageOf(request)).toBe(message);
});
