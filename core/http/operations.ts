import type { Decoded } from "../dispatch.ts";
import { ERROR_CODES, kernelErrors, RpcError } from "../errors.ts";
import { idempotencyKey } from "../idempotency.ts";
import { parseJson } from "../json/parse.ts";
import type { Kernel } from "../kernel.ts";
import type { Operation } from "../operation.ts";
import type { HttpOptions, JsonAnswer } from "./app.ts";
import { bodyText, readBody } from "./body.ts";
import { failureEnvelope, successEnvelope } from "./envelope.ts";
import { accessToken, type HeaderReader } from "./incoming.ts";

/** Runs one operation for one HTTP request. */
export async function answerOperation(
  kernel: Kernel,
  operation: Operation,
  request: Request,
  header: HeaderReader,
  requestId: string,
  options: HttpOptions,
): Promise<JsonAnswer> {
  try {
    if (operation.method.methodKind !== "unary") {
      throw kernelErrors.unimplemented(`${operation.path} is a stream: call it over gRPC, gRPC-Web or Connect`);
    }
    const json = await kernel.dispatch.call(
      operation,
      { token: accessToken(header), requestId },
      () => decode(operation, request, header, options.maxBodyBytes),
      (response) => successEnvelope(operation.responseJson.encode(response as never)),
    );
    return { status: 200, json };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { status: failureStatus(error, options), json: failureEnvelope(error, requestId) };
  }
}

async function decode(
  operation: Operation,
  request: Request,
  header: HeaderReader,
  maxBodyBytes: number,
): Promise<Decoded> {
  const bytes = await readBody(request, header, maxBodyBytes);
  const message = operation.requestJson.decode(bytes.length === 0 ? {} : parseJson(bodyText(bytes)));
  const key = header("idempotency-key");
  if (key === undefined || operation.effect === "read") return { request: message };
  return { request: message, idempotencyKey: await idempotencyKey(key, bytes) };
}

/** What is no answer of an operation has its own status; the rest is 200 unless the installation mirrors codes. */
function failureStatus(error: RpcError, { errorStatus }: HttpOptions): number {
  const { envelope } = ERROR_CODES[error.kind];
  return errorStatus === "mirror" || error.kind === "too_large" ? envelope : 200;
}
