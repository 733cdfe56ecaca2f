import { fromBinary } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";

/** The comments of the proto files in one folder, by the full name of what they describe. */
export interface FolderComments {
  /** The folder, relative to the root of the descriptor set. */
  readonly folder: string;
  readonly comments: ReadonlyMap<string, string>;
}

// The numbers of fields in google/protobuf/descriptor.proto, of which the paths in source code info consist.
const FILE_MESSAGE = 4;
const FILE_ENUM = 5;
const FILE_SERVICE = 6;
const MESSAGE_FIELD = 2;
const MESSAGE_NESTED = 3;
const MESSAGE_ENUM = 4;
const ENUM_VALUE = 2;
const SERVICE_METHOD = 2;

/**
 * Collects the comments in front of services, methods, messages, fields, enums and their values.
 *
 * @param descriptorSet an encoded FileDescriptorSet with source code info, as `buf build -o -` writes it
 */
export function protoComments(descriptorSet: Uint8Array): FolderComments[] {
  const byFolder = new Map<string, Map<string, string>>();
  for (const file of fromBinary(FileDescriptorSetSchema, descriptorSet).file) {
    const folder = file.name.slice(0, Math.max(0, file.name.lastIndexOf("/")));
    const comments = byFolder.get(folder) ?? new Map<string, string>();
    const byPath = commentsByPath(file);
    for (const [name, path] of namesOf(file)) {
      const comment = byPath.get(path.join());
      if (comment !== undefined) comments.set(name, comment);
    }
    if (comments.size > 0) byFolder.set(folder, comments);
  }
  return [...byFolder].map(([folder, comments]) => ({ folder, comments }));
}

type Named = readonly [name: string, path: readonly number[]];

function namesOf(file: FileDescriptorProto): Named[] {
  const inPackage = (name: string) => file.package === "" ? name : `${file.package}.${name}`;
  return [
    ...file.service.flatMap(({ name, method }, index): Named[] => [
      [inPackage(name), [FILE_SERVICE, index]],
      ...method.map((one, at): Named => [
        `${inPackage(name)}.${one.name}`,
        [FILE_SERVICE, index, SERVICE_METHOD, at],
      ]),
    ]),
    ...file.messageType.flatMap((one, index) => namesOfMessage(inPackage(one.name), one, [FILE_MESSAGE, index])),
    ...file.enumType.flatMap((one, index) => namesOfEnum(inPackage(one.name), one, [FILE_ENUM, index])),
  ];
}

function namesOfMessage(name: string, message: DescriptorProto, path: readonly number[]): Named[] {
  return [
    [name, path],
    ...message.field.map((one, index): Named => [`${name}.${one.name}`, [...path, MESSAGE_FIELD, index]]),
    ...message.nestedType.flatMap((one, index) =>
      namesOfMessage(`${name}.${one.name}`, one, [...path, MESSAGE_NESTED, index])
    ),
    ...message.enumType.flatMap((one, index) =>
      namesOfEnum(`${name}.${one.name}`, one, [...path, MESSAGE_ENUM, index])
    ),
  ];
}

function namesOfEnum(name: string, { value }: EnumDescriptorProto, path: readonly number[]): Named[] {
  return [[name, path], ...value.map((one, index): Named => [`${name}.${one.name}`, [...path, ENUM_VALUE, index]])];
}

/** Returns the comments in front of elements, with each paragraph on one line. */
function commentsByPath({ sourceCodeInfo }: FileDescriptorProto): Map<string, string> {
  const commented = (sourceCodeInfo?.location ?? []).filter(({ leadingComments }) => leadingComments.trim() !== "");
  return new Map(commented.map(({ path, leadingComments }) => [path.join(), paragraphs(leadingComments)]));
}

function paragraphs(comment: string): string {
  const lines = comment.trim().split("\n").map((line) => line.trim());
  return lines.reduce((text, line, index) => {
    if (line === "") return text.endsWith("\n\n") ? text : `${text}\n\n`;
    return index === 0 || text.endsWith("\n\n") ? text + line : `${text} ${line}`;
  }, "");
}
