import { type DescMethod, type DescService, getOption } from "@bufbuild/protobuf";
import { allow, Effect, Role } from "../../proto/options_pb.ts";
import type { Call, Caller } from "../base/call.ts";
import { kernelErrors } from "../base/errors.ts";
import { COMMON_MODULE } from "../base/modules.ts";
import { isEncoded } from "./encoded.ts";
import { type JsonCodec, jsonCodec } from "../protobuf/json/codec.ts";
import type { ServeOptions } from "../plugin_api/handlers.ts";
import { DEFAULT_LIMITS, type Limits } from "../base/limits.ts";

export type EffectName = "read" | "write" | "external";
type CallerRole = Caller["role"];

/** A method of a service, with everything that its dispatch needs. */
export interface Operation {
  /** The HTTP path `/<ServiceName>/<methodName>`. The method name begins with a lower-case letter. */
  readonly path: string;
  /** The gRPC path `/<package>.<ServiceName>/<rpcName>`. */
  readonly rpcPath: string;
  readonly plugin: string;
  readonly method: DescMethod;
  readonly roles: ReadonlySet<CallerRole>;
  /** The modules of which an admin needs one; empty if only super admins may call it. */
  readonly modules: readonly string[];
  readonly effect: EffectName;
  /** The kind of act that the operation is for plugins that limit callers, such as `read`, `create` or `pay`. */
  readonly act: string;
  /** A limit for binary requests in bytes, which applies if it is above the installation's; 0 if there is none. */
  readonly messageBytes: number;
  readonly handler: (request: unknown, call: Call) => unknown;
  /** True if its errors carry their reasons in a google.rpc.ErrorInfo. */
  readonly hasErrorInfo: boolean;
  /** True if the handler takes and returns encoded messages. */
  readonly isEncoded: boolean;
  readonly requestJson: JsonCodec<DescMethod["input"]>;
  readonly responseJson: JsonCodec<DescMethod["output"]>;
}

// A record of all roles: a new one that is missing here does not compile.
const ROLE_NAMES: Readonly<Record<Role, CallerRole | undefined>> = {
  [Role.ROLE_UNSPECIFIED]: undefined,
  [Role.ADMIN]: "admin",
  [Role.USER]: "user",
  [Role.DNS]: "dns",
  [Role.NODE]: "node",
  [Role.REPORT]: "report",
  [Role.ANONYMOUS]: "anonymous",
};
const EFFECT_NAMES: ReadonlyMap<Effect, EffectName> = new Map<Effect, EffectName>([
  [Effect.READ, "read"],
  [Effect.WRITE, "write"],
  [Effect.EXTERNAL, "external"],
]);

/** The roles that the allow option names. */
export function rolesOf(method: DescMethod): CallerRole[] {
  return getOption(method, allow).roles.flatMap((role) => ROLE_NAMES[role] ?? []);
}

/** Returns the modules that the allow option lists. */
export function modulesOf(method: DescMethod): readonly string[] {
  return getOption(method, allow).modules;
}

/** Returns the roles that may call an operation, as people read them: `admin (ns or super), user`. */
export function callersText({ roles, modules }: Pick<Operation, "roles" | "modules">): string {
  const admins = modules.includes(COMMON_MODULE) ? "admin" : `admin (${[...modules, "super"].join(" or ")})`;
  return [...roles].map((role) => role === "admin" ? admins : role).join(", ");
}

/**
 * Checks that a caller may call an operation.
 *
 * @throws RpcError forbidden if its role may not, or it is an admin without the modules for it
 */
export function requireAllowed({ roles, modules, path }: Operation, caller: Caller): void {
  if (!roles.has(caller.role)) throw kernelErrors.role_forbidden(caller.role, path);
  if (caller.role !== "admin" || caller.access.isSuper || modules.includes(COMMON_MODULE)) return;
  if (modules.some((module) => caller.access.modules.includes(module))) return;
  throw modules.length === 0
    ? kernelErrors.super_required(`call ${path}`)
    : kernelErrors.module_required(`call ${path}`, modules);
}

/** Returns the effect in the method's option `edgehelm.allow`. */
export function effectOf(method: DescMethod): EffectName | undefined {
  return EFFECT_NAMES.get(getOption(method, allow).effect);
}

/** Returns the act in the method's option `edgehelm.allow`; by default `read` if it only reads, otherwise `create`. */
export function actOf(method: DescMethod): string {
  return getOption(method, allow).act || (effectOf(method) === "read" ? "read" : "create");
}

function decapitalize(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Returns the HTTP path of a method. */
export function httpPath(method: DescMethod): string {
  return `/${method.parent.name}/${decapitalize(method.name)}`;
}

/** Creates the operations of a service. */
export function operationsOf(
  service: DescService,
  handlers: Readonly<Record<string, unknown>>,
  plugin: string,
  jsonDepth: number,
  { errorInfo = true }: ServeOptions = {},
): Operation[] {
  return service.methods.map((method) => ({
    path: httpPath(method),
    rpcPath: `/${service.typeName}/${method.name}`,
    plugin,
    method,
    roles: new Set(rolesOf(method)),
    modules: modulesOf(method),
    effect: effectOf(method)!,
    act: actOf(method),
    messageBytes: getOption(method, allow).messageBytes,
    handler: (handlers[method.localName] as Operation["handler"]).bind(handlers),
    hasErrorInfo: errorInfo,
    isEncoded: isEncoded(handlers[method.localName] as Operation["handler"]),
    requestJson: jsonCodec(method.input, { maxDepth: jsonDepth }),
    responseJson: jsonCodec(method.output),
  }));
}

/** Creates the operations of a service that a transport itself provides. Anyone may call them. */
export function publicOperations(service: DescService, handlers: Readonly<Record<string, unknown>>): Operation[] {
  return operationsOf(service, handlers, "kernel", DEFAULT_LIMITS.jsonDepth).map((operation) => ({
    ...operation,
    roles: new Set(["anonymous"]),
    effect: operation.method.methodKind === "unary" ? "read" : "external",
    act: "read",
  }));
}

/** Returns the limit in bytes for a binary request, which applies before and after decompression. */
export function messageLimit({ roles, messageBytes }: Operation, limits: Limits): number {
  const { grpcMessageBytes, httpBodyBytes, anonymousBodyBytes } = limits;
  if (roles.has("anonymous")) return Math.min(grpcMessageBytes, anonymousBodyBytes);
  return Math.max(grpcMessageBytes, Math.min(messageBytes, httpBodyBytes));
}
