import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { invalid, kernelErrors } from "../base/errors.ts";
import { checkMessage } from "../protobuf/wire/check.ts";
import { WireError } from "../protobuf/wire/reader.ts";
import type { Operation } from "./operation.ts";
import type { RequestRules } from "./request_rules.ts";

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
export function requireValidMessage({ method: { input } }: Operation, request: Uint8Array, rules: RequestRules): void {
  try {
    checkMessage(input, request, rules);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    if (error.path === "") throw kernelErrors.malformed(`the message is not a ${input.typeName}: ${error.message}`);
    throw invalid(error.path.slice(0, 200), error.message);
  }
}
