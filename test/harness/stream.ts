import {
  create,
  type DescMessage,
  type DescMethodBiDiStreaming,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { ERROR_CODES, RpcError } from "../../core/base/errors.ts";
import { httpPath } from "../../core/calls/operation.ts";
import type { Kernel } from "../../core/kernel/kernel.ts";
import { CallError } from "./call_error.ts";

/** A method that streams requests, responses or both. */
export type StreamingMethod<Input extends DescMessage, Output extends DescMessage> =
  | DescMethodServerStreaming<Input, Output>
  | DescMethodClientStreaming<Input, Output>
  | DescMethodBiDiStreaming<Input, Output>;

/** One request, or those of a client or bidirectional stream in their order. */
export type StreamInput<Input extends DescMessage> =
  | MessageInitShape<Input>
  | AsyncIterable<MessageInitShape<Input>>
  | readonly MessageInitShape<Input>[];

/**
 * Calls a streaming operation in process. Each response arrives before the next request is read, so that a test can
 * decide what it sends by what it received.
 *
 * @param signal disconnects the caller when it aborts
 */
export async function* streamCall<Input extends DescMessage, Output extends DescMessage>(
  kernel: Kernel,
  token: string | undefined,
  method: StreamingMethod<Input, Output>,
  input: StreamInput<Input>,
  signal: AbortSignal | undefined,
): AsyncGenerator<MessageShape<Output>, void, undefined> {
  const operation = kernel.operations.find(httpPath(method));
  if (operation === undefined) throw new CallError(404, "kernel.unimplemented", `${method.toString()} is not served`);
  const metadata = {
    token,
    requestId: "test",
    onScope: (scope: { cancel(): void }) => signal?.addEventListener("abort", () => scope.cancel(), { once: true }),
  };
  const requests = method.methodKind === "server_streaming"
    ? received(method.input, input as MessageInitShape<Input>)
    : receivedEach(method.input, input as AsyncIterable<MessageInitShape<Input>>);
  try {
    for await (const response of kernel.dispatch.stream(operation, metadata, requests)) {
      yield received(method.output, response as MessageInitShape<Output>);
    }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new CallError(ERROR_CODES[error.kind].envelope, error.reason, error.message);
  }
}

/** Returns the message as the other side receives it. */
function received<Type extends DescMessage>(type: Type, fields: MessageInitShape<Type>): MessageShape<Type> {
  return fromBinary(type, toBinary(type, create(type, fields)));
}

async function* receivedEach<Type extends DescMessage>(
  type: Type,
  messages: AsyncIterable<MessageInitShape<Type>> | Iterable<MessageInitShape<Type>>,
): AsyncGenerator<MessageShape<Type>> {
  for await (const message of messages) yield received(type, message);
}
