import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError, createContextKey, type HandlerContext } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../../../proto/google/rpc/error_details_pb.ts";
import { errorInfo } from "../../base/error_info.ts";
import { ERROR_CODES, kernelErrors, RpcError } from "../../base/errors.ts";
import { requestId } from "./incoming.ts";

/** Whether the request was whole and sound, so that the call could begin. */
const HAS_BEGUN = createContextKey(false);
/** The longest that a timer can wait. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** The reason travels as google.rpc.ErrorInfo, so that programs need not read the message. */
export function connectError(error: unknown, requestId: string): unknown {
  if (!(error instanceof RpcError)) return error;
  const connect = new ConnectError(error.message, ERROR_CODES[error.kind].grpc as Code);
  addInfo(connect, error, requestId);
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) connect.metadata.set("retry-after", String(retryAfterSeconds));
  return connect;
}

/** From here on faults are the call's. */
export function callBegins({ values }: HandlerContext): void {
  values.set(HAS_BEGUN, true);
}

/**
 * Connect calls a message that cannot be parsed its own fault. It ends its context with every error before it answers
 * with it, which is the time to say whose fault it is.
 */
export function reportAsInvalid(context: HandlerContext): void {
  const ending = context as { abort?(reason: unknown): void };
  const abort = ending.abort;
  if (abort === undefined) return;
  ending.abort = (reason) => {
    if (reason instanceof ConnectError) {
      (reason as { rawMessage: string }).rawMessage = reason.rawMessage.toWellFormed();
    }
    const isCallers = reason instanceof ConnectError && reason.code === Code.Internal && !context.values.get(HAS_BEGUN);
    if (isCallers) {
      (reason as { code: Code }).code = Code.InvalidArgument;
      const id = requestId((name) => context.requestHeader.get(name) ?? undefined);
      addInfo(reason, kernelErrors.malformed(reason.rawMessage), id);
    }
    abort(reason);
  };
}

function addInfo(connect: ConnectError, error: RpcError, requestId: string): void {
  connect.details.push({ desc: ErrorInfoSchema, value: errorInfo(error, requestId) });
}

/** The messages of a client's stream; one that cannot be read is its caller's fault. */
export async function* validMessages(messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  try {
    yield* messages;
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (error.code === Code.Canceled) throw kernelErrors.cancelled();
    if (error.code === Code.ResourceExhausted) throw new RpcError("kernel.too_large", "too_large", error.rawMessage);
    throw kernelErrors.malformed(error.rawMessage);
  }
}

/** The headers with a timeout that timers can keep: weeks are as good as years. */
export function withBoundedTimeout(headers: Headers): Headers {
  const grpc = /^(\d{1,8})([HMS])$/.exec(headers.get("grpc-timeout") ?? "");
  const isGrpcLong = grpc !== null &&
    Number(grpc[1]) * { H: 3600, M: 60, S: 1 }[grpc[2] as "H"] > MAX_TIMEOUT / 1000;
  const isConnectLong = Number(headers.get("connect-timeout-ms")) > MAX_TIMEOUT;
  if (!isGrpcLong && !isConnectLong) return headers;
  const bounded = new Headers(headers);
  if (isGrpcLong) bounded.set("grpc-timeout", `${Math.floor(MAX_TIMEOUT / 1000)}S`);
  if (isConnectLong) bounded.set("connect-timeout-ms", String(MAX_TIMEOUT));
  return bounded;
}
