import type { Message } from "@bufbuild/protobuf";
import { type DecodedRequest, decodedRequest } from "../../calls/decoded_request.ts";
import { requestOf, responseMessage } from "../../calls/encoded_messages.ts";
import { ERROR_CODES, kernelErrors, RpcError } from "../../base/errors.ts";
import { parseJson } from "../../protobuf/json/parse.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { Operation } from "../../calls/operation.ts";
import type { RequestScope } from "../../storage/request_scope.ts";
import type { HttpResponse } from "../../net/http_message.ts";
import { formatResponse, type JsonResponse } from "./response.ts";
import type { HttpOptions } from "./options.ts";
import { type BodyBudget, bodyText, withBody } from "./body.ts";
import { errorEnvelope, successEnvelope } from "./envelope.ts";
import type { IncomingCall } from "../../net/http_message.ts";
import { accessToken, remoteAddress, requestId } from "./incoming.ts";

/** Runs an operation for an HTTP request. The promise never rejects. */
export type OperationRunner = (operation: Operation, call: IncomingCall) => Promise<HttpResponse>;

/** Creates the function that runs operations for every listener. */
export function createOperationRunner(
  kernel: Kernel,
  { errorStatus, behindProxy, compress, decompress }: HttpOptions,
  budget: BodyBudget,
): OperationRunner {
  const { httpBodyBytes, anonymousBodyBytes, jsonDepth } = kernel.limits;
  const authenticatedBody = { limit: httpBodyBytes, budget, decompress };
  const anonymousBody = { limit: Math.min(anonymousBodyBytes, httpBodyBytes), budget, decompress };

  function decode(operation: Operation, call: IncomingCall): DecodedRequest | Promise<DecodedRequest> {
    return withBody(call, operation.roles.has("anonymous") ? anonymousBody : authenticatedBody, (bytes) => {
      const json = bytes.length === 0 ? {} : parseJson(bodyText(bytes), { maxDepth: jsonDepth });
      const request = requestOf(operation, operation.requestJson.decode(json));
      return decodedRequest(operation, request, call.header("idempotency-key"));
    });
  }

  async function respond(operation: Operation, call: IncomingCall, id: string): Promise<JsonResponse> {
    let scope: RequestScope | undefined;
    try {
      if (operation.method.methodKind !== "unary") {
        throw kernelErrors.unimplemented(`${operation.path} is a stream: call it over gRPC, gRPC-Web or Connect`);
      }
      const json = await kernel.dispatch.call(
        operation,
        {
          token: accessToken(call.header),
          requestId: id,
          fields: () => call.fields(),
          remoteAddress: remoteAddress(call, behindProxy),
          onScope: (opened) => {
            scope = opened;
            opened.cancelWhenGone((onDisconnect) => call.watchCaller(onDisconnect));
          },
        },
        () => decode(operation, call),
        (response) => successEnvelope(operation.responseJson.encode(jsonResponse(operation, response))),
      );
      return { status: 200, json, isReplay: scope?.isReplay, fields: scope?.usedMetadata };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // The rest of the body must be read before the connection can be reused.
      call.body.discard();
      const status = errorHttpStatus(error, errorStatus);
      return {
        status,
        json: errorEnvelope(error, id),
        retryAfter: error.retryAfterSeconds,
        fields: scope?.usedMetadata,
      };
    }
  }

  return async (operation, call) => {
    const id = requestId(call.header);
    return await formatResponse(await respond(operation, call, id), call.header, compress, id);
  };
}

/** Returns the message to encode. The JSON codec adds missing fields, so a handler's object is not converted. */
function jsonResponse(operation: Operation, response: unknown): Message {
  return operation.isEncoded ? responseMessage(operation, response) : response as Message;
}

/** Errors of the transport have an HTTP status of their own. All others have 200, unless `errorStatus` is `mirror`. */
function errorHttpStatus({ kind }: RpcError, errorStatus: HttpOptions["errorStatus"]): number {
  const isOfTransport = kind === "too_large" || kind === "unsupported";
  return errorStatus === "mirror" || isOfTransport ? ERROR_CODES[kind].envelope : 200;
}
