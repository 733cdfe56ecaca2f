import { type DescMethod, fromBinary, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { ApiError } from "./api_error.ts";
import { ErrorInfoSchema } from "../../proto/google/rpc/error_details_pb.ts";
import { frame, frames } from "./connect_frames.ts";
import { received, type RequestContext } from "./request.ts";

/** The codes of envelopes for the codes of Connect. */
const ENVELOPE_CODES: Readonly<Record<string, number>> = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  resource_exhausted: 429,
  canceled: 499,
  internal: 500,
  unimplemented: 501,
  unavailable: 503,
  deadline_exceeded: 504,
};
const ERROR_INFO = "google.rpc.ErrorInfo";

/**
 * Makes one attempt of a unary call over Connect.
 *
 * @throws ApiError, or the reason of the signal if it aborts
 */
export async function callConnect<Method extends DescMethod>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
  context: RequestContext,
): Promise<MessageShape<Method["output"]>> {
  const response = await post(method, encode(method, request), "application/proto", context);
  if (!response.ok) throw toApiError(await jsonOf(response, context.signal), response.status);
  const bytes = new Uint8Array(await received(response.arrayBuffer(), context.signal));
  return fromBinary(method.output, bytes) as MessageShape<Method["output"]>;
}

/**
 * Sends one message and receives a stream over Connect.
 *
 * @throws ApiError, or the reason of the signal if it aborts
 */
export async function* streamConnect<Method extends DescMethod>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
  context: RequestContext,
): AsyncGenerator<MessageShape<Method["output"]>> {
  const { signal } = context;
  const response = await post(method, frame(encode(method, request)), "application/connect+proto", context);
  if (!response.ok || response.body === null) throw toApiError(await jsonOf(response, signal), response.status);
  for await (const { isEnd, bytes } of frames(response.body, signal)) {
    if (!isEnd) yield fromBinary(method.output, bytes) as MessageShape<Method["output"]>;
    else {
      const { error } = parse(new TextDecoder().decode(bytes)) as { readonly error?: ConnectError };
      if (error !== undefined) throw toApiError(error, 200);
      return;
    }
  }
  throw new ApiError({ message: "the stream ended before its last message", code: 0, reason: "" });
}

function encode<Method extends DescMethod>(method: Method, request: MessageInitShape<Method["input"]>): Uint8Array {
  return toBinary(method.input, create(method.input, request));
}

function post(
  { parent, name }: DescMethod,
  body: Uint8Array,
  type: string,
  { baseUrl, fetch, headers, signal }: RequestContext,
): Promise<Response> {
  const init: RequestInit = {
    method: "POST",
    headers: { ...headers, "content-type": type, "connect-protocol-version": "1" },
    body: body as Uint8Array<ArrayBuffer>,
    ...signal !== undefined && { signal },
  };
  return received(fetch(`${baseUrl}/${parent.typeName}/${name}`, init), signal);
}

/** An error as Connect writes it. */
interface ConnectError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly { readonly type: string; readonly value: string }[];
}

async function jsonOf(response: Response, signal: AbortSignal | undefined): Promise<ConnectError> {
  return parse(await received(response.text(), signal)) as ConnectError;
}

/** Parses JSON; anything else, such as the page of a proxy, is as if it were empty. */
function parse(text: string): object {
  try {
    const json = JSON.parse(text);
    return typeof json === "object" && json !== null ? json : {};
  } catch {
    return {};
  }
}

function toApiError({ code = "", message, details = [] }: ConnectError, status: number): ApiError {
  const detail = details.find(({ type }) => type === ERROR_INFO);
  const info = detail === undefined ? undefined : fromBinary(ErrorInfoSchema, base64Decode(detail.value));
  const retryAfter = info?.metadata.retryAfterSeconds;
  return new ApiError({
    message: message ?? `the server sent HTTP ${status}`,
    code: ENVELOPE_CODES[code] ?? (status === 200 ? 500 : status),
    reason: info?.reason ?? "",
    requestId: info?.metadata.requestId,
    retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter),
  });
}
