import type { Message } from "@bufbuild/protobuf";
import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { decodedRequest } from "../../calls/decoded_request.ts";
import type { CallMetadata } from "../../calls/dispatch.ts";
import { requestOf, responseMessage } from "../../calls/encoded_messages.ts";
import type { Operation } from "../../calls/operation.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { RequestScope } from "../../storage/request_scope.ts";
import { beginCall, connectError, validMessages } from "./connect_errors.ts";
import { accessToken, requestId } from "./incoming.ts";

/** Passes the caller's address from the request to the call. */
export const REMOTE_ADDRESS = createContextKey<string | undefined>(undefined);

type Implementation = (request: never, context: HandlerContext) => unknown;

/** Returns the implementation of an operation for the Connect library. */
export function implement(kernel: Kernel, operation: Operation): Implementation {
  switch (operation.method.methodKind) {
    case "unary":
      return (request: Message, context) => unary(kernel, operation, request, new ConnectCall(context));
    case "server_streaming":
      return (request: Message, context) => stream(kernel, operation, request, new ConnectCall(context));
    case "client_streaming":
      return async (requests: AsyncIterable<Message>, context) => {
        for await (const response of stream(kernel, operation, requests, new ConnectCall(context))) return response;
      };
    case "bidi_streaming":
      return (requests: AsyncIterable<Message>, context) =>
        stream(kernel, operation, requests, new ConnectCall(context));
  }
}

async function unary(kernel: Kernel, operation: Operation, request: Message, call: ConnectCall): Promise<Message> {
  beginCall(call.context);
  try {
    return await kernel.dispatch.call(
      operation,
      call,
      () => decodedRequest(operation, requestOf(operation, request), call.header("idempotency-key")),
      (response) => responseMessage(operation, response),
    );
  } catch (error) {
    throw connectError(error, call.requestId, operation.hasErrorInfo);
  } finally {
    call.sendHeaders();
    call.sendTrailers();
  }
}

async function* stream(
  kernel: Kernel,
  operation: Operation,
  input: Message | AsyncIterable<Message>,
  call: ConnectCall,
): AsyncGenerator<Message> {
  beginCall(call.context);
  const validated = Symbol.asyncIterator in input ? validMessages(input) : input;
  try {
    for await (const response of kernel.dispatch.stream(operation, call, validated)) {
      call.sendHeaders();
      yield responseMessage(operation, response);
    }
  } catch (error) {
    throw connectError(error, call.requestId, operation.hasErrorInfo);
  } finally {
    call.sendHeaders();
    call.sendTrailers();
  }
}

/** A call that the Connect library has parsed. */
class ConnectCall implements CallMetadata {
  readonly context: HandlerContext;
  readonly token: string | undefined;
  readonly requestId: string;
  readonly deadline: number | undefined;
  #scope: RequestScope | undefined;
  #hasSentHeaders = false;

  constructor(context: HandlerContext) {
    this.context = context;
    this.token = accessToken((name) => this.header(name));
    this.requestId = requestId((name) => this.header(name));
    const timeout = context.timeoutMs();
    this.deadline = timeout === undefined ? undefined : Date.now() + timeout;
  }

  get remoteAddress(): string | undefined {
    return this.context.values.get(REMOTE_ADDRESS);
  }

  get isGet(): boolean {
    return this.context.requestMethod === "GET";
  }

  fields(): Iterable<[string, string]> {
    return this.context.requestHeader;
  }

  header(name: string): string | undefined {
    return this.context.requestHeader.get(name) ?? undefined;
  }

  onScope(scope: RequestScope): void {
    this.#scope = scope;
    this.context.signal.addEventListener("abort", () => scope.cancel(), { once: true });
  }

  sendHeaders(): void {
    if (this.#hasSentHeaders) return;
    this.#hasSentHeaders = true;
    const { usedMetadata } = this.#scope ?? {};
    usedMetadata?.headers.sent();
    for (const [name, value] of usedMetadata?.headers ?? []) this.context.responseHeader.append(name, value);
  }

  sendTrailers(): void {
    for (const [name, value] of this.#scope?.usedMetadata?.trailers ?? []) {
      this.context.responseTrailer.append(name, value);
    }
  }
}
