import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { invalid, kernelErrors } from "../base/errors.ts";
import { checkMessage } from "../protobuf/wire/check.ts";
import { WireError } from "../protobuf/wire/reader.ts";
import type { Operation } from "./operation.ts";
import type { RequestRules } from "./request_rules.ts";

/** Returns a decoded request in the form that the operation's handler takes. */
export function requestOf({ isEncoded, method }: Operation, message: Message): unknown {
  return isEncoded ? toBinary(method.input, message) : message;
}

/** Returns a handler's response as a message, for transports that encode it themselves. */
export function responseMessage({ isEncoded, method }: Operation, response: unknown): Message {
  return isEncoded ? fromBinary(method.output, response as Uint8Array) : create(method.output, response as Message);
}

/** Returns a handler's response in the protobuf binary format. */
export function responseBytes({ isEncoded, method }: Operation, response: unknown): Uint8Array {
  return isEncoded ? response as Uint8Array : toBinary(method.output, create(method.output, response as Message));
}

/** @throws RpcError invalid, naming the path of the invalid field */
export function requireValidMessage({ method: { input } }: Operation, request: Uint8Array, rules: RequestRules): void {
  try {
    checkMessage(input, request, rules);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    if (error.path === "") throw kernelErrors.malformed(`the message is not a ${input.typeName}: ${error.message}`);
    throw invalid(error.path.slice(0, 200), error.message);
  }
}
