import { type DescMethod, type DescService, getOption, type Message } from "@bufbuild/protobuf";
import { allow, Effect, Role } from "../../proto/options_pb.ts";
import type { Call, Caller } from "../base/call.ts";
import { isEncoded } from "./encoded.ts";
import { type JsonCodec, jsonCodec } from "../protobuf/json/codec.ts";
import { DEFAULT_LIMITS, type Limits } from "../base/limits.ts";

export type EffectName = "read" | "write" | "external";
type CallerRole = Caller["role"];

/** One method as it is dispatched: all that can be known before a call comes. */
export interface Operation {
  /** `/<ServiceName>/<methodName>`, the method with a small first letter. */
  readonly path: string;
  /** `/<package>.<ServiceName>/<rpcName>`. */
  readonly rpcPath: string;
  readonly plugin: string;
  readonly method: DescMethod;
  readonly roles: ReadonlySet<CallerRole>;
  readonly effect: EffectName;
  /** How many bytes a binary request may have where that is more than the installation's default; 0 for no more. */
  readonly messageBytes: number;
  readonly handler: (request: unknown, call: Call) => unknown;
  /** Whether the handler takes and gives encoded messages. */
  readonly isEncoded: boolean;
  readonly requestJson: JsonCodec<DescMethod["input"]>;
  readonly responseJson: JsonCodec<DescMethod["output"]>;
}

/** A request or an answer whose type only the descriptor knows. */
export type AnyMessage = Message;

const ROLE_NAMES: ReadonlyMap<Role, CallerRole> = new Map<Role, CallerRole>([
  [Role.ADMIN, "admin"],
  [Role.USER, "user"],
  [Role.DNS, "dns"],
  [Role.NODE, "node"],
  [Role.REPORT, "report"],
  [Role.ANONYMOUS, "anonymous"],
]);
const EFFECT_NAMES: ReadonlyMap<Effect, EffectName> = new Map<Effect, EffectName>([
  [Effect.READ, "read"],
  [Effect.WRITE, "write"],
  [Effect.EXTERNAL, "external"],
]);

/** The roles that the allow option names. */
export function rolesOf(method: DescMethod): CallerRole[] {
  return getOption(method, allow).roles.flatMap((role) => ROLE_NAMES.get(role) ?? []);
}

export function effectOf(method: DescMethod): EffectName | undefined {
  return EFFECT_NAMES.get(getOption(method, allow).effect);
}

function decapitalised(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The path of a method over HTTP. */
export function httpPath(method: DescMethod): string {
  return `/${method.parent.name}/${decapitalised(method.name)}`;
}

/** The operations of one service. */
export function operationsOf(
  service: DescService,
  handlers: Readonly<Record<string, unknown>>,
  plugin: string,
  jsonDepth: number,
): Operation[] {
  return service.methods.map((method) => ({
    path: httpPath(method),
    rpcPath: `/${service.typeName}/${method.name}`,
    plugin,
    method,
    roles: new Set(rolesOf(method)),
    effect: effectOf(method)!,
    messageBytes: getOption(method, allow).messageBytes,
    handler: (handlers[method.localName] as Operation["handler"]).bind(handlers),
    isEncoded: isEncoded(handlers[method.localName] as Operation["handler"]),
    requestJson: jsonCodec(method.input, { maxDepth: jsonDepth }),
    responseJson: jsonCodec(method.output),
  }));
}

/** The operations of a service of the transport's own: everybody may call it, and it touches no data. */
export function openOperations(service: DescService, handlers: Readonly<Record<string, unknown>>): Operation[] {
  return operationsOf(service, handlers, "kernel", DEFAULT_LIMITS.jsonDepth).map((operation) => ({
    ...operation,
    roles: new Set(["anonymous"]),
    effect: operation.method.methodKind === "unary" ? "read" : "external",
  }));
}

/** The most bytes that a binary request of an operation may have, sent and decompressed. */
export function messageLimit({ roles, messageBytes }: Operation, limits: Limits): number {
  const { grpcMessageBytes, httpBodyBytes, anonymousBodyBytes } = limits;
  if (roles.has("anonymous")) return Math.min(grpcMessageBytes, anonymousBodyBytes);
  return Math.max(grpcMessageBytes, Math.min(messageBytes, httpBodyBytes));
}
