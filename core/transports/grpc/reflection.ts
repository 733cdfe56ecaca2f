import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { file_proto_google_rpc_error_details } from "../../../proto/google/rpc/error_details_pb.ts";
import {
  ServerReflection as ServerReflectionV1,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
} from "../../../proto/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionV1Alpha } from "../../../proto/grpc/reflection/v1alpha/reflection_pb.ts";
import { openOperations, type Operation } from "../../calls/operation.ts";
import { SchemaIndex } from "./schema_index.ts";

const NOT_FOUND = 5;
const INVALID_ARGUMENT = 3;

type Answer = ServerReflectionResponse["messageResponse"];

/** grpc.reflection.v1 and v1alpha, which differ in the name alone. */
export function reflectionOperations(operations: readonly Operation[]): Operation[] {
  const services = [...new Set(operations.map(({ method }) => method.parent))];
  const index = new SchemaIndex([...services, ServerReflectionV1, ServerReflectionV1Alpha], [
    file_proto_google_rpc_error_details,
  ]);
  return [...reflectionOf(ServerReflectionV1, index), ...reflectionOf(ServerReflectionV1Alpha, index)];
}

function reflectionOf(service: DescService, index: SchemaIndex): Operation[] {
  return openOperations(service, {
    async *serverReflectionInfo(requests: AsyncIterable<ServerReflectionRequest>) {
      for await (const { host, messageRequest } of requests) {
        const originalRequest = { host, messageRequest };
        yield { validHost: host, originalRequest, messageResponse: answerTo(messageRequest, index) };
      }
    },
  });
}

function answerTo(question: ServerReflectionRequest["messageRequest"], index: SchemaIndex): Answer {
  switch (question.case) {
    case "listServices":
      return response("listServicesResponse", { service: index.serviceNames.map((name) => ({ name })) });
    case "fileByFilename":
      return files(index.fileNamed(question.value), `the file "${question.value}"`);
    case "fileContainingSymbol":
      return files(index.fileOf(question.value), `the symbol "${question.value}"`);
    case "fileContainingExtension": {
      const { containingType, extensionNumber } = question.value;
      const name = `the extension ${extensionNumber} of "${containingType}"`;
      return files(index.fileOfExtension(containingType, extensionNumber), name);
    }
    case "allExtensionNumbersOfType": {
      const extensionNumber = index.extensionNumbersOf(question.value);
      if (extensionNumber === undefined) return failure(NOT_FOUND, `the message "${question.value}" is not known`);
      return response("allExtensionNumbersResponse", { baseTypeName: question.value, extensionNumber });
    }
    case undefined:
      return failure(INVALID_ARGUMENT, "the question is not one of message_request");
  }
}

/** A file with all that it imports, so that one question is enough. */
function files(file: DescFile | undefined, what: string): Answer {
  if (file === undefined) return failure(NOT_FOUND, `${what} is not known`);
  const found = new Set([file]);
  for (const one of found) for (const dependency of one.dependencies) found.add(dependency);
  const fileDescriptorProto = [...found].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  return response("fileDescriptorResponse", { fileDescriptorProto });
}

function failure(errorCode: number, errorMessage: string): Answer {
  return response("errorResponse", { errorCode, errorMessage: errorMessage.slice(0, 500) });
}

/** An answer without the type names that messages carry: the transport adds them. */
function response(name: NonNullable<Answer["case"]>, value: object): Answer {
  return { case: name, value } as Answer;
}
