import { fromBinary, fromJsonString, type JsonReadOptions, type Registry, toJsonString } from "@bufbuild/protobuf";
import { kernelErrors } from "../../base/errors.ts";
import { requestOf, responseBytes, responseMessage } from "../../calls/encoded_messages.ts";
import type { Operation } from "../../calls/operation.ts";
import { checkUniqueFields } from "../../protobuf/json/unique_fields.ts";

/** An encoding of messages. Requests and responses are in the form that the operation's handler takes and returns. */
export interface MessageFormat {
  /** The name in content types, such as `application/grpc+proto`. */
  readonly name: "proto" | "json";
  /** @throws RpcError invalid if the bytes are not a message of this type */
  request(operation: Operation, bytes: Uint8Array): unknown;
  response(operation: Operation, response: unknown): Uint8Array;
}

/** The protobuf binary format. */
export const binaryFormat: MessageFormat = {
  name: "proto",
  // The bytes are unchanged for a handler that takes encoded messages.
  request: ({ isEncoded, method }, bytes) =>
    isEncoded ? bytes : parsed(method.input.typeName, () => fromBinary(method.input, bytes)),
  response: responseBytes,
};

/** Returns proto3 JSON, in which a google.protobuf.Any contains one of the registered types. */
export function jsonFormat(registry: Registry, maxDepth: number): MessageFormat {
  const options: Partial<JsonReadOptions> = { registry, ignoreUnknownFields: true };
  return {
    name: "json",
    request(operation, bytes) {
      const { input } = operation.method;
      const text = jsonText(bytes);
      checkUniqueFields(input, text, { maxDepth });
      return requestOf(operation, parsed(input.typeName, () => fromJsonString(input, text, options)));
    },
    response: (operation, response) =>
      encoder.encode(toJsonString(operation.method.output, responseMessage(operation, response), { registry })),
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** @throws RpcError invalid if the bytes are not UTF-8 */
export function jsonText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw kernelErrors.malformed("not valid UTF-8");
  }
}

function parsed<Result>(typeName: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw kernelErrors.malformed(`the message is not a ${typeName}: ${(error as Error).message}`);
  }
}
