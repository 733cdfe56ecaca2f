import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type ContextKey, createContextKey, type HandlerContext } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../../../proto/google/rpc/error_details_pb.ts";
import { errorInfo } from "../rpc/error_info.ts";
import { ERROR_CODES, kernelErrors, RpcError } from "../../base/errors.ts";
import { requestId } from "./incoming.ts";

/** The start of the library's error for a compressed message in a request without a coding, which is `internal`. */
const NO_CODING = "received compressed envelope";

/** True once the request was complete and valid, and the call has begun. */
const HAS_BEGUN = createContextKey(false);
/** True if errors of the operation carry their reasons. */
export const HAS_INFO: ContextKey<boolean> = createContextKey(true);

/**
 * Converts an RpcError to a ConnectError. Programs read its reason from google.rpc.ErrorInfo in the details.
 *
 * @param hasInfo false to leave that out
 */
export function connectError(error: unknown, requestId: string, hasInfo: boolean): unknown {
  if (!(error instanceof RpcError)) return error;
  const connect = new ConnectError(error.message, ERROR_CODES[error.kind].grpc as Code);
  if (hasInfo) addInfo(connect, error, requestId);
  for (const { typeUrl, value } of error.details) {
    connect.details.push({ type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1), value });
  }
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) connect.metadata.set("retry-after", String(retryAfterSeconds));
  return connect;
}

/** Marks the request as valid. Later errors with the code `internal` are errors of the server. */
export function beginCall({ values }: HandlerContext): void {
  values.set(HAS_BEGUN, true);
}

/**
 * Corrects the code of parse errors. Connect reports a message that it cannot parse as `internal`; it passes each error
 * to its context's `abort` before it sends the response, where the code can still be changed to `invalid_argument`.
 */
export function reportAsInvalid(context: HandlerContext): void {
  const abortable = context as { abort?(reason: unknown): void };
  const abort = abortable.abort;
  if (abort === undefined) return;
  abortable.abort = (reason) => {
    if (reason instanceof ConnectError) {
      (reason as { rawMessage: string }).rawMessage = reason.rawMessage.toWellFormed();
    }
    const isClientError = reason instanceof ConnectError && reason.code === Code.Internal &&
      !context.values.get(HAS_BEGUN) && !reason.rawMessage.startsWith(NO_CODING);
    if (isClientError) {
      (reason as { code: Code }).code = Code.InvalidArgument;
      if (!context.values.get(HAS_INFO)) return abort(reason);
      const id = requestId((name) => context.requestHeader.get(name) ?? undefined);
      addInfo(reason, kernelErrors.malformed(reason.rawMessage), id);
    }
    abort(reason);
  };
}

function addInfo(connect: ConnectError, error: RpcError, requestId: string): void {
  connect.details.push({ desc: ErrorInfoSchema, value: errorInfo(error, requestId) });
}

/** Yields the messages of a client's stream. Errors of reading it become errors of the client. */
export async function* validMessages(messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  try {
    yield* messages;
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (error.code === Code.Canceled) throw kernelErrors.cancelled();
    if (error.code === Code.ResourceExhausted) throw new RpcError("kernel.too_large", "too_large", error.rawMessage);
    if (error.rawMessage.startsWith(NO_CODING)) throw new RpcError("kernel.malformed", "internal", error.rawMessage);
    throw kernelErrors.malformed(error.rawMessage);
  }
}
