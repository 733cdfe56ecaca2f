import { createConnectRouter, createContextValues } from "@connectrpc/connect";
import { universalServerResponseToFetch } from "@connectrpc/connect/protocol";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { kernelErrors } from "../../base/errors.ts";
import { messageLimit, type Operation } from "../../calls/operation.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { IncomingCall } from "../../net/http_message.ts";
import type { MessageCodings } from "../rpc/codings.ts";
import { messageTypes } from "../rpc/registry.ts";
import type { BodyBudget } from "./body.ts";
import { connectBody } from "./connect_body.ts";
import { implement, REMOTE_ADDRESS } from "./connect_call.ts";
import { connectCompressions } from "./connect_compression.ts";
import { HAS_INFO, reportAsInvalid } from "./connect_errors.ts";
import { requireUniqueKeys, uncached } from "./connect_get.ts";
import { callHeaders } from "./connect_headers.ts";
import { binaryType, textResponse } from "./grpc_web_text.ts";
import { remoteAddress } from "./incoming.ts";

/** Bytes from which messages are compressed for a caller that accepts it. */
const MIN_COMPRESSED_BYTES = 8192;

/** Creates a fetch handler that serves gRPC-Web and Connect. */
export function createRpcFetch(
  kernel: Kernel,
  behindProxy: boolean,
  budget: BodyBudget,
  codings: MessageCodings,
): (request: Request, call: IncomingCall) => Promise<Response> {
  const { anonymousBodyBytes } = kernel.limits;
  const registry = messageTypes(kernel.operations.all);
  const router = createConnectRouter({
    connect: true,
    grpcWeb: true,
    grpc: false,
    requestGate: (context) => {
      reportAsInvalid(context);
      if (context.requestMethod === "GET") requireUniqueKeys(context, kernel.limits.jsonDepth);
    },
    jsonOptions: { registry },
    acceptCompression: connectCompressions(codings),
    compressMinBytes: MIN_COMPRESSED_BYTES,
  });
  for (const operation of kernel.operations.all) {
    const readMaxBytes = messageLimit(operation, kernel.limits);
    router.rpc(cacheable(operation), implement(kernel, operation) as never, { readMaxBytes });
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
    const isText = binaryType(request.headers.get("content-type")) !== undefined;
    const isGet = request.method === "GET";
    try {
      const response = universalServerResponseToFetch(
        await handlers.get(operation.rpcPath)!({
          // Empty, because Connect refuses bidirectional streams over HTTP/1.1.
          httpVersion: "",
          method: request.method,
          url: request.url,
          header: callHeaders(request.headers, codings),
          body: isGet ? noBody() : connectBody(operation, request.headers, call, { kernel, codings, hold }),
          signal: request.signal,
          contextValues: createContextValues().set(REMOTE_ADDRESS, address).set(HAS_INFO, operation.hasErrorInfo),
        }),
      );
      if (isGet) return uncached(response);
      return isText ? textResponse(response) : response;
    } finally {
      budget.release(held);
    }
  };
}

async function* noBody(): AsyncGenerator<Uint8Array> {}

/** Lets clients call an operation with GET if it only reads. */
function cacheable({ effect, method }: Operation): Operation["method"] {
  if (effect !== "read" || method.methodKind !== "unary") return method;
  return { ...method, idempotency: MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS };
}
