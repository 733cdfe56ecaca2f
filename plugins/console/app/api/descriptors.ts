import { fromBinary } from "@bufbuild/protobuf";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import {
  type DescriptorProto,
  type FieldDescriptorProto,
  file_google_protobuf_descriptor,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { file_proto_options } from "edgehelm/proto/options_pb.js";

/** The files that the server leaves out, because these pages contain them. */
const OWN_FILES = [file_google_protobuf_descriptor, file_proto_options];

/**
 * Decodes descriptors from the server, and restores what it left out: files, and JSON names that follow from the names of
 * the fields. Each file comes after those that it imports.
 */
export function decodeDescriptors(bytes: Uint8Array): FileDescriptorSet {
  const set = fromBinary(FileDescriptorSetSchema, bytes);
  for (const field of set.file.flatMap(({ messageType }) => fieldsOf(messageType))) {
    if (field.jsonName === "") field.jsonName = protoCamelCase(field.name);
  }
  set.file.unshift(...OWN_FILES.map(({ proto }) => proto));
  return set;
}

function fieldsOf(messages: readonly DescriptorProto[]): FieldDescriptorProto[] {
  return messages.flatMap(({ field, nestedType }) => [...field, ...fieldsOf(nestedType)]);
}
