import type {
  DescriptorProto,
  FieldDescriptorProto,
  FileDescriptorProto,
  ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";

interface Declaration {
  readonly name: string;
  /** The path of the declaration in its file, as in SourceCodeInfo. */
  readonly path: readonly number[];
}

// The field numbers of descriptor.proto that such paths consist of.
const FILE_MESSAGE = 4;
const FILE_SERVICE = 6;
const MESSAGE_FIELD = 2;
const MESSAGE_NESTED = 3;
const SERVICE_METHOD = 2;

/** Returns the names of the services, rpcs, messages and fields of a file that have no comment. */
export function uncommented(file: FileDescriptorProto): string[] {
  const commented = new Set<string>();
  for (const { path, leadingComments } of file.sourceCodeInfo?.location ?? []) {
    if (leadingComments.trim() !== "") commented.add(path.join());
  }
  const declarations = [
    ...file.messageType.flatMap((message, index) => messageDeclarations(message, file.name, [FILE_MESSAGE, index])),
    ...file.service.flatMap((service, index) => serviceDeclarations(service, file.name, [FILE_SERVICE, index])),
  ];
  return declarations.filter(({ path }) => !commented.has(path.join())).map(({ name }) => name);
}

function messageDeclarations(message: DescriptorProto, parent: string, path: readonly number[]): Declaration[] {
  if (message.options?.mapEntry) return [];
  const name = `${parent} ${message.name}`;
  return [
    { name, path },
    ...children(message.field, name, [...path, MESSAGE_FIELD]),
    ...message.nestedType.flatMap((nested, index) =>
      messageDeclarations(nested, name, [...path, MESSAGE_NESTED, index])
    ),
  ];
}

function serviceDeclarations(service: ServiceDescriptorProto, parent: string, path: readonly number[]): Declaration[] {
  const name = `${parent} ${service.name}`;
  return [{ name, path }, ...children(service.method, name, [...path, SERVICE_METHOD])];
}

function children(
  of: readonly Pick<FieldDescriptorProto, "name">[],
  parent: string,
  path: readonly number[],
): Declaration[] {
  return of.map(({ name }, index) => ({ name: `${parent} ${name}`, path: [...path, index] }));
}
