import type { Message } from "@bufbuild/protobuf";
import type { Decoded } from "../../calls/dispatch.ts";
import { requestOf, responseMessage } from "../../calls/encoded_messages.ts";
import { ERROR_CODES, kernelErrors, RpcError } from "../../base/errors.ts";
import { idempotencyKey } from "../../calls/idempotency.ts";
import { parseJson } from "../../protobuf/json/parse.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { Operation } from "../../calls/operation.ts";
import type { HttpResponse } from "../../net/http_message.ts";
import { formatResponse, type JsonResponse } from "./response.ts";
import type { HttpOptions } from "./options.ts";
import { type BodyBudget, bodyText, withBody } from "./body.ts";
import { failureEnvelope, successEnvelope } from "./envelope.ts";
import type { IncomingCall } from "../../net/http_message.ts";
import { accessToken, remoteAddress, requestId } from "./incoming.ts";

/** Runs one operation for one HTTP request; throws nothing. */
export type OperationEndpoint = (operation: Operation, call: IncomingCall) => Promise<HttpResponse>;

/** What runs operations, for every listener. */
export function createOperationEndpoint(
  kernel: Kernel,
  { errorStatus, behindProxy, compress, decompress }: HttpOptions,
  budget: BodyBudget,
): OperationEndpoint {
  const { httpBodyBytes, anonymousBodyBytes, jsonDepth } = kernel.limits;
  const known = { limit: httpBodyBytes, budget, decompress };
  const strange = { limit: Math.min(anonymousBodyBytes, httpBodyBytes), budget, decompress };

  function decode(operation: Operation, call: IncomingCall): Decoded | Promise<Decoded> {
    return withBody(call, operation.roles.has("anonymous") ? strange : known, (bytes) => {
      const json = bytes.length === 0 ? {} : parseJson(bodyText(bytes), { maxDepth: jsonDepth });
      const request = requestOf(operation, operation.requestJson.decode(json));
      const key = call.header("idempotency-key");
      if (key === undefined || operation.effect === "read") return { request };
      return idempotencyKey(key, new Uint8Array(bytes)).then((idempotencyKey) => ({ request, idempotencyKey }));
    });
  }

  async function answer(operation: Operation, call: IncomingCall, id: string): Promise<JsonResponse> {
    try {
      if (operation.method.methodKind !== "unary") {
        throw kernelErrors.unimplemented(`${operation.path} is a stream: call it over gRPC, gRPC-Web or Connect`);
      }
      const json = await kernel.dispatch.call(
        operation,
        {
          token: accessToken(call.header),
          requestId: id,
          remoteAddress: remoteAddress(call, behindProxy),
          onScope: (scope) => scope.cancelWhenGone((gone) => call.watchCaller(gone)),
        },
        () => decode(operation, call),
        (response) => successEnvelope(operation.responseJson.encode(jsonResponse(operation, response))),
      );
      return { status: 200, json };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // What is left of the body is of no use, but must go by before the connection can go on.
      call.body.discard();
      const status = failureStatus(error, errorStatus);
      return { status, json: failureEnvelope(error, id), retryAfter: error.retryAfterSeconds };
    }
  }

  return async (operation, call) => {
    const id = requestId(call.header);
    return await formatResponse(await answer(operation, call, id), call.header, compress, id);
  };
}

/** JSON needs no whole message: it fills in what is left out. */
function jsonResponse(operation: Operation, response: unknown): Message {
  return operation.isEncoded ? responseMessage(operation, response) : response as Message;
}

/** What is no answer of an operation has its own status; the rest is 200 unless the installation mirrors codes. */
function failureStatus({ kind }: RpcError, errorStatus: HttpOptions["errorStatus"]): number {
  const isOfTransport = kind === "too_large" || kind === "unsupported";
  return errorStatus === "mirror" || isOfTransport ? ERROR_CODES[kind].envelope : 200;
}
