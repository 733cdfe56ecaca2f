import { create, type DescMethodUnary, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import type { Call } from "./call.ts";
import { invalid, kernelErrors } from "./errors.ts";
import type { Handler } from "./handlers.ts";
import type { Operation } from "./operation.ts";
import type { RequestRules } from "./request_rules.ts";
import { checkMessage } from "./wire/check.ts";
import { WireFault } from "./wire/reader.ts";

/** Takes an encoded request, checked, and answers an encoded response. */
export type EncodedHandler = (request: Uint8Array, call: Call) => Promise<Uint8Array> | Uint8Array;

const encodedHandlers = new WeakSet<object>();

/**
 * Makes the handler of a unary method of one that takes the request and gives the response as encoded messages, for
 * what is kept and handed on as it came: nothing is decoded that nobody looks at, and fields that are not known here
 * survive. Over gRPC the bytes go through as they are; other wires encode the request and decode the response. The
 * request was checked against its type and the limits of the installation, as any other.
 *
 * @example
 * ```ts
 * serve(BlobService, { createBlobs: encoded(async (request, call) => {
 *   await store.append(call, request);
 *   return new Uint8Array();
 * }) });
 * ```
 */
export function encoded<Method extends DescMethodUnary>(handler: EncodedHandler): Handler<Method> {
  encodedHandlers.add(handler);
  return handler as unknown as Handler<Method>;
}

export function isEncoded(handler: object): boolean {
  return encodedHandlers.has(handler);
}

/** The request as the operation's handler takes it, of one that a transport has decoded. */
export function requestOf({ isEncoded, method }: Operation, message: Message): unknown {
  return isEncoded ? toBinary(method.input, message) : message;
}

/** The response as a message, for a transport that encodes it its own way. */
export function responseMessage({ isEncoded, method }: Operation, response: unknown): Message {
  return isEncoded ? fromBinary(method.output, response as Uint8Array) : create(method.output, response as Message);
}

export function responseBytes({ isEncoded, method }: Operation, response: unknown): Uint8Array {
  return isEncoded ? response as Uint8Array : toBinary(method.output, create(method.output, response as Message));
}

/** @throws RpcError invalid, naming the path of the fault */
export function requireSound({ method: { input } }: Operation, request: Uint8Array, rules: RequestRules): void {
  try {
    checkMessage(input, request, rules);
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    if (error.path === "") throw kernelErrors.malformed(`the message is not a ${input.typeName}: ${error.message}`);
    throw invalid(error.path.slice(0, 200), error.message);
  }
}
