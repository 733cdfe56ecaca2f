import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { file_proto_google_rpc_error_details } from "../../../proto/google/rpc/error_details_pb.ts";
import {
  ServerReflection as ServerReflectionV1,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
} from "../../../proto/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionV1Alpha } from "../../../proto/grpc/reflection/v1alpha/reflection_pb.ts";
import { type Operation, publicOperations } from "../../calls/operation.ts";
import { SchemaIndex } from "./schema_index.ts";

const NOT_FOUND = 5;
const INVALID_ARGUMENT = 3;

type ReflectionResponse = ServerReflectionResponse["messageResponse"];

/**
 * Creates the operations of grpc.reflection.v1 and v1alpha, which differ only in their name.
 *
 * Specification: https://github.com/grpc/grpc/blob/master/doc/server-reflection.md
 */
export function reflectionOperations(operations: readonly Operation[]): Operation[] {
  const services = [...new Set(operations.map(({ method }) => method.parent))];
  const index = new SchemaIndex([...services, ServerReflectionV1, ServerReflectionV1Alpha], [
    file_proto_google_rpc_error_details,
  ]);
  return [...reflectionOf(ServerReflectionV1, index), ...reflectionOf(ServerReflectionV1Alpha, index)];
}

function reflectionOf(service: DescService, index: SchemaIndex): Operation[] {
  return publicOperations(service, {
    async *serverReflectionInfo(requests: AsyncIterable<ServerReflectionRequest>) {
      for await (const { host, messageRequest } of requests) {
        const originalRequest = { host, messageRequest };
        yield { validHost: host, originalRequest, messageResponse: respondTo(messageRequest, index) };
      }
    },
  });
}

function respondTo(messageRequest: ServerReflectionRequest["messageRequest"], index: SchemaIndex): ReflectionResponse {
  switch (messageRequest.case) {
    case "listServices":
      return response("listServicesResponse", { service: index.serviceNames.map((name) => ({ name })) });
    case "fileByFilename":
      return files(index.fileNamed(messageRequest.value), `the file "${messageRequest.value}"`);
    case "fileContainingSymbol":
      return files(index.fileOf(messageRequest.value), `the symbol "${messageRequest.value}"`);
    case "fileContainingExtension": {
      const { containingType, extensionNumber } = messageRequest.value;
      const name = `the extension ${extensionNumber} of "${containingType}"`;
      return files(index.fileOfExtension(containingType, extensionNumber), name);
    }
    case "allExtensionNumbersOfType": {
      const extensionNumber = index.extensionNumbersOf(messageRequest.value);
      if (extensionNumber === undefined) {
        return errorResponse(NOT_FOUND, `the message "${messageRequest.value}" does not exist`);
      }
      return response("allExtensionNumbersResponse", { baseTypeName: messageRequest.value, extensionNumber });
    }
    case undefined:
      return errorResponse(INVALID_ARGUMENT, "message_request is not set");
  }
}

/** Returns a file and everything it imports, so that the client needs only one request. */
function files(file: DescFile | undefined, noun: string): ReflectionResponse {
  if (file === undefined) return errorResponse(NOT_FOUND, `${noun} does not exist`);
  const closure = new Set([file]);
  for (const { dependencies } of closure) for (const dependency of dependencies) closure.add(dependency);
  const fileDescriptorProto = [...closure].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  return response("fileDescriptorResponse", { fileDescriptorProto });
}

function errorResponse(errorCode: number, errorMessage: string): ReflectionResponse {
  return response("errorResponse", { errorCode, errorMessage: errorMessage.slice(0, 500) });
}

/** Creates a response without `$typeName`s, which the transport adds. */
function response(name: NonNullable<ReflectionResponse["case"]>, value: object): ReflectionResponse {
  return { case: name, value } as ReflectionResponse;
}
