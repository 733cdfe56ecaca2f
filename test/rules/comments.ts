import type {
  DescriptorProto,
  FieldDescriptorProto,
  FileDescriptorProto,
  ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";

interface Place {
  readonly name: string;
  /** Where the declaration is in its file, as SourceCodeInfo counts. */
  readonly path: readonly number[];
}

// Field numbers in descriptor.proto, which paths are made of.
const FILE_MESSAGE = 4;
const FILE_SERVICE = 6;
const MESSAGE_FIELD = 2;
const MESSAGE_NESTED = 3;
const SERVICE_METHOD = 2;

/** Names of the services, rpcs, messages and fields of a file that no comment stands above. */
export function uncommented(file: FileDescriptorProto): string[] {
  const commented = new Set<string>();
  for (const { path, leadingComments } of file.sourceCodeInfo?.location ?? []) {
    if (leadingComments.trim() !== "") commented.add(path.join());
  }
  const places = [
    ...file.messageType.flatMap((message, index) => placesOf(message, file.name, [FILE_MESSAGE, index])),
    ...file.service.flatMap((service, index) => methodsOf(service, file.name, [FILE_SERVICE, index])),
  ];
  return places.filter(({ path }) => !commented.has(path.join())).map(({ name }) => name);
}

function placesOf(message: DescriptorProto, parent: string, path: readonly number[]): Place[] {
  if (message.options?.mapEntry) return [];
  const name = `${parent} ${message.name}`;
  return [
    { name, path },
    ...children(message.field, name, [...path, MESSAGE_FIELD]),
    ...message.nestedType.flatMap((nested, index) => placesOf(nested, name, [...path, MESSAGE_NESTED, index])),
  ];
}

function methodsOf(service: ServiceDescriptorProto, parent: string, path: readonly number[]): Place[] {
  const name = `${parent} ${service.name}`;
  return [{ name, path }, ...children(service.method, name, [...path, SERVICE_METHOD])];
}

function children(
  of: readonly Pick<FieldDescriptorProto, "name">[],
  parent: string,
  path: readonly number[],
): Place[] {
  return of.map(({ name }, index) => ({ name: `${parent} ${name}`, path: [...path, index] }));
}
