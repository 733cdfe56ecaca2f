import { Random } from "../../harness/random.ts";
import type { TestCaller } from "../../harness/caller.ts";
import type { TargetOperation } from "../target/installation.ts";
import { type GrpcRequest, grpcRequest } from "./grpc_requests.ts";
import { httpRequest, type WireRequest } from "./http_requests.ts";

/** The operations that requests call, and the callers. */
export interface FuzzScope {
  readonly operations: readonly TargetOperation[];
  readonly callers: readonly TestCaller[];
  /** The access tokens of the callers, in their order. */
  readonly tokens: readonly (string | undefined)[];
}

/** A request of the fuzz, which its seed and number determine. */
export interface FuzzRequest {
  readonly number: number;
  readonly operation: TargetOperation;
  readonly caller: string;
  readonly wire: WireRequest["wire"] | "grpc";
  readonly http?: WireRequest;
  readonly grpc?: GrpcRequest;
}

/** The wires, as often as they are used: of 20 requests. */
const WIRES = [
  ...Array<"json">(7).fill("json"),
  ...Array<"grpc">(4).fill("grpc"),
  ...Array<"connect">(4).fill("connect"),
  ...Array<"grpcweb">(4).fill("grpcweb"),
  "raw",
] as const;
const INVALID_TOKENS = ["nonsense", "a.b.c", "x".repeat(4000)];

/** Creates the request with a number. */
export function fuzzRequest({ operations, callers, tokens }: FuzzScope, seed: number, number: number): FuzzRequest {
  const random = new Random(seed * 1_000_003 + number);
  const operation = random.oneOf(operations);
  const wire = random.oneOf(WIRES);
  const index = callerOf(callers, operation, random);
  const token = index < callers.length ? tokens[index] : INVALID_TOKENS[index - callers.length];
  const caller = index < callers.length ? `${callers[index]!.role} ${callers[index]!.id}` : "an invalid token";
  const request = { number, operation, caller, wire };
  return wire === "grpc"
    ? { ...request, grpc: grpcRequest(operation, token, random) }
    : { ...request, http: httpRequest(wire, operation, token, random) };
}

/** Returns the index of a caller, who usually may call the operation, or an index beyond for an invalid token. */
function callerOf(callers: readonly TestCaller[], { roles }: TargetOperation, random: Random): number {
  const allowed = callers.flatMap(({ role }, index) => roles.has(role) ? [index] : []);
  const choice = random.below(10);
  // The first of each role may do the most.
  if (choice < 5) return allowed[0]!;
  const others = allowed.filter((index) => callers[index]!.role !== "admin");
  if (choice < 7 && others.length > 0) return random.oneOf(others);
  return choice < 8 ? random.oneOf(allowed) : random.below(callers.length + INVALID_TOKENS.length);
}

const MAX_TEXT = 700;

/** Returns what people need to see of a request. */
export function textOf({ number, operation, caller, wire, http, grpc }: FuzzRequest): string {
  const bytes = http?.bytes ?? grpc!.body;
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 20_000)).replace(/x-cloud-access-token: \S+\r\n/, "");
  return `request ${number}: ${operation.path} over ${wire} by ${caller}: ${JSON.stringify(text.slice(0, MAX_TEXT))}`;
}
