import { Code, ConnectError, createConnectRouter, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import {
  universalServerRequestFromFetch,
  universalServerResponseToFetch,
} from "@connectrpc/connect/protocol";
import { create, type DescMethod, type DescService, type Message } from "@bufbuild/protobuf";
import { ERROR_CODES, RpcError } from "../errors.ts";
import type { Kernel } from "../kernel.ts";
import type { Operation } from "../operation.ts";
import { accessToken, requestId } from "./incoming.ts";

const ERROR_DOMAIN = "edgehelm";

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
  const { method } = operation;
  if (method.methodKind !== "unary") return () => {
    throw new ConnectError(`${operation.path} streams are served over gRPC`, Code.Unimplemented);
  };
  return (request: Message, context: HandlerContext) => unary(kernel, operation, method, request, context);
}

async function unary(
  kernel: Kernel,
  operation: Operation,
  method: DescMethod,
  request: Message,
  context: HandlerContext,
): Promise<Message> {
  const header = (name: string) => context.requestHeader.get(name) ?? undefined;
  const timeout = context.timeoutMs();
  try {
    return await kernel.dispatch.call(
      operation,
      {
        token: accessToken(header),
        requestId: requestId(header),
        deadline: timeout === undefined ? undefined : Date.now() + timeout,
      },
      () => ({ request }),
      (response) => create(method.output, response as never),
    );
  } catch (error) {
    throw error instanceof RpcError ? connectError(error) : error;
  }
}

/** The reason travels as google.rpc.ErrorInfo, so that programs need not read the message. */
function connectError(error: RpcError): ConnectError {
  const connect = new ConnectError(error.message, ERROR_CODES[error.kind].grpc as Code);
  connect.details.push(errorInfo(error));
  return connect;
}
