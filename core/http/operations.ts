import type { Message } from "@bufbuild/protobuf";
import type { Decoded } from "../dispatch.ts";
import { requestOf, responseMessage } from "../encoded.ts";
import { ERROR_CODES, kernelErrors, RpcError } from "../errors.ts";
import { idempotencyKey } from "../idempotency.ts";
import { parseJson } from "../json/parse.ts";
import type { Kernel } from "../kernel.ts";
import type { Operation } from "../operation.ts";
import type { HttpOptions, JsonAnswer } from "./app.ts";
import { type BodyBudget, bodyText, withBody } from "./body.ts";
import { failureEnvelope, successEnvelope } from "./envelope.ts";
import { accessToken, type HeaderReader, type HttpBindings, remoteAddress, watchCaller } from "./incoming.ts";

/** One HTTP request on its way to an operation. */
export interface HttpCall {
  readonly request: Request;
  readonly bindings: HttpBindings | undefined;
  readonly header: HeaderReader;
  /** Names the request in the answer and in logs. */
  readonly id: string;
}

/** What runs one operation for one HTTP request. */
export function createAnswer(
  kernel: Kernel,
  { errorStatus, behindProxy, decompress }: HttpOptions,
  budget: BodyBudget,
): (operation: Operation, call: HttpCall) => Promise<JsonAnswer> {
  const { httpBodyBytes, anonymousBodyBytes, jsonDepth } = kernel.limits;
  const known = { limit: httpBodyBytes, budget, decompress };
  const strange = { limit: Math.min(anonymousBodyBytes, httpBodyBytes), budget, decompress };

  async function decode(operation: Operation, { request, bindings, header }: HttpCall): Promise<Decoded> {
    const options = operation.roles.has("anonymous") ? strange : known;
    return await withBody(request, bindings, header, options, async (bytes) => {
      const json = bytes.length === 0 ? {} : parseJson(bodyText(bytes), { maxDepth: jsonDepth });
      const message = requestOf(operation, operation.requestJson.decode(json));
      const key = header("idempotency-key");
      if (key === undefined || operation.effect === "read") return { request: message };
      return { request: message, idempotencyKey: await idempotencyKey(key, new Uint8Array(bytes)) };
    });
  }

  return async (operation, call) => {
    const { request, bindings, header, id } = call;
    try {
      if (operation.method.methodKind !== "unary") {
        throw kernelErrors.unimplemented(`${operation.path} is a stream: call it over gRPC, gRPC-Web or Connect`);
      }
      const json = await kernel.dispatch.call(
        operation,
        {
          token: accessToken(header),
          requestId: id,
          remoteAddress: remoteAddress(header, bindings, behindProxy),
          onScope: (scope) => scope.cancelWhenGone((gone) => watchCaller(request, bindings, gone)),
        },
        () => decode(operation, call),
        (response) => successEnvelope(operation.responseJson.encode(jsonResponse(operation, response))),
      );
      return { status: 200, json };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // What is left of the body is of no use, but must go by before the connection can go on.
      bindings?.incoming?.resume?.();
      const status = failureStatus(error, errorStatus);
      return { status, json: failureEnvelope(error, id), retryAfter: error.retryAfterSeconds };
    }
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
