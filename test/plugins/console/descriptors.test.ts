import { create, createFileRegistry, type DescFile } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { decodeDescriptors } from "../../../plugins/console/app/api/descriptors.ts";
import { encodeDescriptors } from "../../../plugins/console/descriptors.ts";
import { generatedServices } from "../../rules/generated.ts";

const files = (await generatedServices()).map(({ file }) => file);

/** A file in which the JSON name of one field does not follow from its name. */
function renamed(): DescFile {
  const field = [
    { name: "first_name", number: 1, type: 9, label: 1, jsonName: "firstName" },
    { name: "last_name", number: 2, type: 9, label: 1, jsonName: "familyName" },
  ];
  const file = [{ name: "person.proto", syntax: "proto3", messageType: [{ name: "Person", field }] }];
  return createFileRegistry(create(FileDescriptorSetSchema, { file })).getFile("person.proto")!;
}

function namesOf(file: FileDescriptorProto): readonly string[] {
  return file.messageType.flatMap(({ field }) => field.map(({ name, jsonName }) => `${name} ${jsonName}`));
}

test("the descriptors of every service reach the pages with all that they import, in an order that can be read", () => {
  const { file } = decodeDescriptors(encodeDescriptors(files));
  expect(createFileRegistry(create(FileDescriptorSetSchema, { file }))).toBeDefined();
  const decoded = new Map(file.map((one) => [one.name, one]));
  for (const { proto } of files) expect(decoded.get(proto.name)).toEqual(proto);
});

test("JSON names are restored, those that do not follow from the name of the field too", () => {
  const file = renamed();
  const decoded = decodeDescriptors(encodeDescriptors([file])).file.find(({ name }) => name === "person.proto")!;
  expect(namesOf(decoded)).toEqual(["first_name firstName", "last_name familyName"]);
});

test("making the pages' copy changes nothing in the descriptors that the server uses", () => {
  const file = renamed();
  encodeDescriptors([file]);
  expect(namesOf(file.proto)).toEqual(["first_name firstName", "last_name familyName"]);
});
