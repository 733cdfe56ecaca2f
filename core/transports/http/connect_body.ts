import { Code, ConnectError } from "@connectrpc/connect";
import { RpcError } from "../../base/errors.ts";
import { messageLimit, type Operation } from "../../calls/operation.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { IncomingCall } from "../../net/http_message.ts";
import { decompressed, type MessageCodings } from "../rpc/codings.ts";
import { connectError } from "./connect_errors.ts";
import { connectJsonForm, withUniqueKeys } from "./connect_json.ts";
import { binaryType, decodedText } from "./grpc_web_text.ts";

export interface ConnectBodyDeps {
  readonly kernel: Kernel;
  readonly codings: MessageCodings;
  /** Counts bytes that are held in memory. */
  readonly hold: (bytes: number) => void;
}

/** Yields the body of a request of Connect or gRPC-Web, after the checks that their library lacks. */
export async function* connectBody(
  operation: Operation,
  headers: Headers,
  { body }: IncomingCall,
  { kernel, codings, hold }: ConnectBodyDeps,
): AsyncGenerator<Uint8Array> {
  // the messages of a stream are not held together, and each has its own limit
  const held = operation.method.methodKind === "unary" ? heldBody(body, hold) : body.chunks();
  const plain = binaryType(headers.get("content-type")) === undefined ? held : decodedText(held);
  const form = connectJsonForm(headers);
  const maxBytes = messageLimit(operation, kernel.limits);
  const { jsonDepth: maxDepth } = kernel.limits;
  const { coding } = form ?? {};
  const isKnown = coding !== undefined && codings.names.includes(coding);
  const decompress = isKnown ? (bytes: Uint8Array) => decompressed(codings, coding, bytes, maxBytes) : undefined;
  try {
    yield* form === undefined
      ? plain
      : withUniqueKeys(plain, form.kind, { input: operation.method.input, maxBytes, maxDepth, decompress });
  } catch (error) {
    throw error instanceof RpcError
      ? connectError(error, "", operation.hasErrorInfo)
      : new ConnectError("the request was interrupted", Code.Canceled);
  }
}

async function* heldBody(body: IncomingCall["body"], hold: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body.chunks()) {
    hold(chunk.length);
    yield chunk;
  }
}
