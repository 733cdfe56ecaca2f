import { create, createFileRegistry, type DescField, type DescMessage, setExtension } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { type JsonContent, jsonContentOf } from "edgehelm/wire";
import { json } from "../../../proto/options_pb.ts";
import { file_proto_shapes_time_duration, TimeDurationSchema } from "../../../proto/shapes/time_duration_pb.ts";
import { SizeCapacitySchema } from "../../../proto/shapes/size_capacity_pb.ts";

/** Returns a bytes field of a file that imports TimeDuration. */
function fieldWith(declared: string): DescField {
  const options = create(FieldOptionsSchema);
  setExtension(options, json, declared);
  const dataJSON = create(FieldDescriptorProtoSchema, {
    name: "dataJSON",
    number: 1,
    type: FieldDescriptorProto_Type.BYTES,
    label: FieldDescriptorProto_Label.OPTIONAL,
    options,
  });
  const file = create(FileDescriptorProtoSchema, {
    name: "test.proto",
    package: "test",
    syntax: "proto3",
    dependency: ["proto/shapes/time_duration.proto"],
    messageType: [{ name: "Request", field: [dataJSON] }],
  });
  const registry = createFileRegistry(file, () => file_proto_shapes_time_duration);
  return registry.getMessage("test.Request")!.fields[0]!;
}

const timeDuration = TimeDurationSchema as DescMessage;
const contents: readonly (readonly [string, JsonContent | undefined])[] = [
  ["", undefined],
  ["TimeDuration", { shapes: [timeDuration], isList: false }],
  ["edgehelm.shapes.TimeDuration", { shapes: [timeDuration], isList: false }],
  ["TimeDuration[]", { shapes: [timeDuration], isList: true }],
  ["test.Request|TimeDuration", {
    shapes: [expect.objectContaining({ typeName: "test.Request" }), timeDuration],
    isList: false,
  }],
  ["object", { shapes: ["object"], isList: false }],
  ["(string|number|boolean)[]", { shapes: ["string", "number", "boolean"], isList: true }],
];

test.each(contents)('the content "%s" of a field', (declared, content) => {
  expect(jsonContentOf(fieldWith(declared))).toEqual(content);
});

test("a message that is not imported", () => {
  expect(() => jsonContentOf(fieldWith(SizeCapacitySchema.name))).toThrow(
    "field test.Request.dataJSON: no imported file declares edgehelm.shapes.SizeCapacity",
  );
});

test.each(["[]", "()[]", "A|", "A|B[]", "(A)[]", "A B", "A[][]"])('"%s" does not describe JSON', (declared) => {
  expect(() => jsonContentOf(fieldWith(declared))).toThrow(`"${declared}" does not describe JSON`);
});
