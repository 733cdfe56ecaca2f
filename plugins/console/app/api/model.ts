import { createFileRegistry, type DescMethod, type DescService, getOption } from "@bufbuild/protobuf";
import { type Allow, allow, Effect, Role } from "edgehelm/proto/options_pb.js";
import { decodeDescriptors } from "./descriptors.ts";

/** One operation that the installation serves. */
export interface Operation {
  readonly service: DescService;
  readonly method: DescMethod;
  readonly allow: Allow;
  /** The HTTP path `/<ServiceName>/<methodName>`. */
  readonly path: string;
}

/** The role and the rights of who is signed in, as far as pages depend on them. */
export interface Reader {
  readonly type: "admin" | "user";
  readonly isSuper: boolean;
  readonly modules: readonly string[];
}

/** The operations that the installation serves, read from the descriptors of its plugins. */
export class Model {
  readonly operations: readonly Operation[];

  constructor(operations: readonly Operation[]) {
    this.operations = operations;
  }

  /** Returns the operations that this caller may call. */
  operationsOf(reader: Reader): Operation[] {
    const role = reader.type === "admin" ? Role.ADMIN : Role.USER;
    return this.operations.filter(({ allow: { roles, modules } }) => {
      if (!roles.includes(role)) return false;
      if (reader.type === "user" || reader.isSuper) return true;
      return modules.some((module) => module === "common" || reader.modules.includes(module));
    });
  }
}

/** Returns true if the operation only reads. */
export function isRead({ allow: { effect } }: Operation): boolean {
  return effect === Effect.READ;
}

/** Reads the model from the binary descriptors that the console's server gives. */
export function modelOf(descriptors: Uint8Array): Model {
  const registry = createFileRegistry(decodeDescriptors(descriptors));
  const operations: Operation[] = [];
  for (const type of registry) {
    if (type.kind !== "service") continue;
    for (const method of type.methods) {
      const path = `/${type.name}/${method.localName}`;
      operations.push({ service: type, method, allow: getOption(method, allow), path });
    }
  }
  return new Model(operations);
}
