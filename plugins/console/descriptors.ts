import { clearField, clone, create, type DescFile, toBinary } from "@bufbuild/protobuf";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import {
  type DescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  file_google_protobuf_descriptor,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { file_proto_options } from "edgehelm/proto/options_pb.js";

/** The files that pages contain in any case, because their code depends on them. */
const IN_PAGES = [file_google_protobuf_descriptor, file_proto_options];

const { jsonName } = FieldDescriptorProtoSchema.field;

/**
 * Encodes files with all that they import, without what `app/api/descriptors.ts` restores: the files that pages contain
 * in any case, and the JSON names that follow from the names of the fields.
 */
export function encodeDescriptors(files: Iterable<DescFile>): Uint8Array<ArrayBuffer> {
  const known = new Set(IN_PAGES.map(({ proto }) => proto.name));
  const sent: FileDescriptorProto[] = [];
  const add = ({ proto, dependencies }: DescFile) => {
    if (known.has(proto.name)) return;
    known.add(proto.name);
    for (const dependency of dependencies) add(dependency);
    sent.push(withoutJsonNames(proto));
  };
  for (const file of files) add(file);
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: sent }));
}

function withoutJsonNames(file: FileDescriptorProto): FileDescriptorProto {
  const copy = clone(FileDescriptorProtoSchema, file);
  for (const field of fieldsOf(copy.messageType)) {
    if (field.jsonName === protoCamelCase(field.name)) clearField(field, jsonName);
  }
  return copy;
}

function fieldsOf(messages: readonly DescriptorProto[]): FieldDescriptorProto[] {
  return messages.flatMap(({ field, nestedType }) => [...field, ...fieldsOf(nestedType)]);
}
