import {
  Code,
  ConnectError,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type ServiceImpl,
} from "@connectrpc/connect";
import { universalServerResponseToFetch } from "@connectrpc/connect/protocol";
import type { DescService, Message } from "@bufbuild/protobuf";
import { decodedRequest } from "../../calls/decoded_request.ts";
import type { CallMetadata } from "../../calls/dispatch.ts";
import { requestOf, responseMessage } from "../../calls/encoded_messages.ts";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { messageLimit, type Operation } from "../../calls/operation.ts";
import { beginCall, connectError, reportAsInvalid, validMessages, withBoundedTimeout } from "./connect_errors.ts";
import type { BodyBudget } from "./body.ts";
import { connectJsonForm, withUniqueKeys } from "./connect_json.ts";
import type { IncomingCall } from "../../net/http_message.ts";
import { accessToken, remoteAddress, requestId } from "./incoming.ts";

/** Passes the caller's address from the request to the call. */
const REMOTE_ADDRESS = createContextKey<string | undefined>(undefined);

/** Creates a fetch handler that serves gRPC-Web and Connect. */
export function createRpcFetch(
  kernel: Kernel,
  behindProxy: boolean,
  budget: BodyBudget,
): (request: Request, call: IncomingCall) => Promise<Response> {
  const { grpcMessageBytes, anonymousBodyBytes } = kernel.limits;
  const options = { connect: true, grpcWeb: true, grpc: false, requestGate: reportAsInvalid };
  const router = createConnectRouter({ ...options, readMaxBytes: grpcMessageBytes });
  const byService = new Map<DescService, Operation[]>();
  for (const operation of kernel.operations.all) {
    const { parent } = operation.method;
    byService.set(parent, [...byService.get(parent) ?? [], operation]);
  }
  for (const [service, operations] of byService) {
    const implementations = operations.map((operation) => [operation.method.localName, implement(kernel, operation)]);
    router.service(service, Object.fromEntries(implementations) as ServiceImpl<DescService>);
    for (const operation of operations.filter(({ messageBytes }) => messageBytes > grpcMessageBytes)) {
      const readMaxBytes = messageLimit(operation, kernel.limits);
      router.rpc(operation.method, implement(kernel, operation) as never, { ...options, readMaxBytes });
    }
  }
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return async (request, call) => {
    const operation = kernel.operations.findRpc(new URL(request.url).pathname)!;
    const address = remoteAddress(call, behindProxy);
    let held = 0;
    const limit = operation.roles.has("anonymous") ? anonymousBodyBytes : Infinity;
    const hold = (bytes: number) => {
      if (held + bytes > limit) throw kernelErrors.too_large("the request", `${limit} bytes`);
      budget.reserve(bytes);
      held += bytes;
    };
    try {
      const response = await handlers.get(operation.rpcPath)!({
        // Empty, because Connect refuses bidirectional streams over HTTP/1.1.
        httpVersion: "",
        method: request.method,
        url: request.url,
        header: withBoundedTimeout(request.headers),
        body: requestBody(kernel, operation, request.headers, call, hold),
        signal: request.signal,
        contextValues: createContextValues().set(REMOTE_ADDRESS, address),
      });
      return universalServerResponseToFetch(response);
    } finally {
      budget.release(held);
    }
  };
}

async function* requestBody(
  kernel: Kernel,
  operation: Operation,
  headers: Headers,
  { body }: IncomingCall,
  hold: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  // the messages of a stream are not held together, and each has its own limit
  const held = operation.method.methodKind === "unary" ? heldBody(body, hold) : body.chunks();
  const form = connectJsonForm(headers);
  const maxBytes = messageLimit(operation, kernel.limits);
  const { jsonDepth: maxDepth } = kernel.limits;
  try {
    yield* form === undefined
      ? held
      : withUniqueKeys(held, form, { input: operation.method.input, maxBytes, maxDepth });
  } catch (error) {
    throw error instanceof RpcError
      ? connectError(error, "")
      : new ConnectError("the request was interrupted", Code.Canceled);
  }
}

async function* heldBody(body: IncomingCall["body"], hold: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body.chunks()) {
    hold(chunk.length);
    yield chunk;
  }
}

type Implementation = (request: never, context: HandlerContext) => unknown;

function implement(kernel: Kernel, operation: Operation): Implementation {
  switch (operation.method.methodKind) {
    case "unary":
      return (request: Message, context) => unary(kernel, operation, request, context);
    case "server_streaming":
      return (request: Message, context) => stream(kernel, operation, request, context);
    case "client_streaming":
      return async (requests: AsyncIterable<Message>, context) => {
        for await (const response of stream(kernel, operation, requests, context)) return response;
      };
    case "bidi_streaming":
      return (requests: AsyncIterable<Message>, context) => stream(kernel, operation, requests, context);
  }
}

async function unary(
  kernel: Kernel,
  operation: Operation,
  request: Message,
  context: HandlerContext,
): Promise<Message> {
  beginCall(context);
  const metadata = metadataOf(context);
  try {
    return await kernel.dispatch.call(
      operation,
      metadata,
      () => decodedRequest(operation, requestOf(operation, request), header(context, "idempotency-key")),
      (response) => responseMessage(operation, response),
    );
  } catch (error) {
    throw connectError(error, metadata.requestId);
  }
}

async function* stream(
  kernel: Kernel,
  operation: Operation,
  input: Message | AsyncIterable<Message>,
  context: HandlerContext,
): AsyncGenerator<Message> {
  beginCall(context);
  const metadata = metadataOf(context);
  const validated = Symbol.asyncIterator in input ? validMessages(input) : input;
  try {
    for await (const response of kernel.dispatch.stream(operation, metadata, validated)) {
      yield responseMessage(operation, response);
    }
  } catch (error) {
    throw connectError(error, metadata.requestId);
  }
}

function metadataOf(context: HandlerContext): CallMetadata {
  const headerOf = (name: string) => header(context, name);
  const timeout = context.timeoutMs();
  return {
    token: accessToken(headerOf),
    requestId: requestId(headerOf),
    remoteAddress: context.values.get(REMOTE_ADDRESS),
    deadline: timeout === undefined ? undefined : Date.now() + timeout,
    onScope: (scope) => context.signal.addEventListener("abort", () => scope.cancel(), { once: true }),
  };
}

function header({ requestHeader }: HandlerContext, name: string): string | undefined {
  return requestHeader.get(name) ?? undefined;
}
