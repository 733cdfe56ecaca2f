import { Code, ConnectError, createConnectRouter, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { universalServerRequestFromFetch, universalServerResponseToFetch } from "@connectrpc/connect/protocol";
import { create, type DescService, type Message } from "@bufbuild/protobuf";
import { ErrorInfoSchema } from "../../proto/google/rpc/error_details_pb.ts";
import type { Arrival } from "../dispatch.ts";
import { ERROR_CODES, ERROR_DOMAIN, RpcError } from "../errors.ts";
import type { Kernel } from "../kernel.ts";
import type { Operation } from "../operation.ts";
import { accessToken, requestId } from "./incoming.ts";

/** Serves gRPC-Web and Connect over the same dispatch table. */
export function createRpcFetch(kernel: Kernel, maxMessageBytes: number): (request: Request) => Promise<Response> {
  const router = createConnectRouter({ connect: true, grpcWeb: true, grpc: false, readMaxBytes: maxMessageBytes });
  const byService = new Map<DescService, Operation[]>();
  for (const operation of kernel.operations.all) {
    const { parent } = operation.method;
    byService.set(parent, [...byService.get(parent) ?? [], operation]);
  }
  for (const [service, operations] of byService) {
    const implementations = operations.map((operation) => [operation.method.localName, implement(kernel, operation)]);
    router.service(service, Object.fromEntries(implementations) as ServiceImpl<DescService>);
  }
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return async (request) => {
    const operation = kernel.operations.findRpc(new URL(request.url).pathname)!;
    const response = await handlers.get(operation.rpcPath)!(universalServerRequestFromFetch(request, {}));
    return universalServerResponseToFetch(response);
  };
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
  const arrival = arrivalOf(context);
  try {
    return await kernel.dispatch.call(
      operation,
      arrival,
      () => ({ request }),
      (response) => message(operation, response),
    );
  } catch (error) {
    throw connectError(error, arrival.requestId);
  }
}

async function* stream(
  kernel: Kernel,
  operation: Operation,
  input: Message | AsyncIterable<Message>,
  context: HandlerContext,
): AsyncGenerator<Message> {
  const arrival = arrivalOf(context);
  try {
    for await (const response of kernel.dispatch.stream(operation, arrival, input)) yield message(operation, response);
  } catch (error) {
    throw connectError(error, arrival.requestId);
  }
}

function message(operation: Operation, response: unknown): Message {
  return create(operation.method.output, response as never);
}

function arrivalOf(context: HandlerContext): Arrival {
  const header = (name: string) => context.requestHeader.get(name) ?? undefined;
  const timeout = context.timeoutMs();
  return {
    token: accessToken(header),
    requestId: requestId(header),
    deadline: timeout === undefined ? undefined : Date.now() + timeout,
    onScope: (scope) => context.signal.addEventListener("abort", () => scope.cancel(), { once: true }),
  };
}

/** The reason travels as google.rpc.ErrorInfo, so that programs need not read the message. */
function connectError(error: unknown, requestId: string): unknown {
  if (!(error instanceof RpcError)) return error;
  const connect = new ConnectError(error.message, ERROR_CODES[error.kind].grpc as Code);
  const value = { reason: error.reason, domain: ERROR_DOMAIN, metadata: { requestId } };
  connect.details.push({ desc: ErrorInfoSchema, value });
  return connect;
}
