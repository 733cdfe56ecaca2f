import type { DescMessage } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { jsonContentOf } from "edgehelm/wire";
import { generatedServices } from "./generated.ts";
import { fieldName, isJsonField, reachableMessages } from "./json_fields.ts";

/** The bytes fields that may contain any JSON, with the reason. */
const ANY_JSON: Readonly<Record<string, string>> = {
  "pb.NSNodeStreamMessage.dataJSON": "depends on the code, which nodes and admins agree on",
  "pb.NodeStreamMessage.dataJSON": "depends on the code, which nodes and admins agree on",
  "pb.ReportNodeStreamMessage.dataJSON": "depends on the code, which report nodes and admins agree on",
};

async function allMessages(): Promise<DescMessage[]> {
  const methods = (await generatedServices()).flatMap((service) => service.methods);
  return reachableMessages(methods.flatMap(({ input, output }) => [input, output]));
}

test("every bytes field with JSON declares what it contains", async () => {
  const fields = (await allMessages()).flatMap((message) => message.fields.filter(isJsonField));
  expect(fields.length).toBeGreaterThan(200);
  const undeclared = fields.filter((field) => jsonContentOf(field) === undefined).map(fieldName);
  expect(undeclared.sort()).toEqual(Object.keys(ANY_JSON).sort());
});

test("only bytes fields with JSON declare what they contain", async () => {
  const others = (await allMessages()).flatMap(({ fields }) => fields.filter((field) => !isJsonField(field)));
  expect(others.filter((field) => jsonContentOf(field) !== undefined).map(fieldName)).toEqual([]);
});
