import { encodeHeaderBlock } from "../../net/hpack/encoder.ts";
import { HTTP2_LIMITS, type Http2Limits } from "../../net/http2/limits.ts";
import { headerValue, type RequestHeaders } from "../../net/http2/request_headers.ts";
import type { Http2Handler } from "../../net/http2/stream_table.ts";
import type { Http2Stream, StreamSink } from "../../net/http2/stream.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { Operation } from "../../calls/operation.ts";
import { OperationTable } from "../../calls/operation_table.ts";
import type { CallDeps } from "./call.ts";
import type { MessageCodings } from "../rpc/codings.ts";
import { jsonFormat } from "../rpc/message_format.ts";
import { messageTypes } from "../rpc/registry.ts";
import { type Health, healthOperations } from "./health.ts";
import { reflectionOperations } from "./reflection.ts";
import { isGrpc, readRequestHead } from "./request_head.ts";
import { errorTrailers, GrpcError, unimplemented } from "./status.ts";
import { ResponseHeads } from "./response_heads.ts";
import { StreamingCall } from "./streaming_call.ts";
import { UnaryCall } from "./unary_call.ts";

export interface GrpcOptions {
  readonly codings: MessageCodings;
  readonly health: Health;
  /** True if a reverse proxy forwards the client's address. */
  readonly behindProxy: boolean;
}

const RESOURCE_EXHAUSTED = 8;

/** Serves the operations of an installation, the health service and the reflection service as gRPC over HTTP/2. */
export class GrpcService implements Http2Handler {
  readonly limits: Http2Limits;
  readonly notHttp2Response = NOT_HTTP2_RESPONSE;
  readonly #operations: OperationTable;
  readonly #deps: CallDeps;
  readonly #errorOfService: Kernel["errorOfService"];
  readonly #bodyMilliseconds: number;
  readonly #behindProxy: boolean;

  constructor(
    { limits, operations: { all }, dispatch, errorOfService }: Kernel,
    { codings, health, behindProxy }: GrpcOptions,
  ) {
    this.limits = {
      ...HTTP2_LIMITS,
      concurrentStreams: limits.grpcStreams,
      headerListBytes: limits.headerBytes,
      // A connection may hold several messages of the maximum size.
      connectionBytes: Math.max(HTTP2_LIMITS.connectionBytes, 4 * limits.grpcMessageBytes),
      headerMilliseconds: limits.headerSeconds * 1000,
      stallMilliseconds: limits.responseSeconds * 1000,
    };
    this.#bodyMilliseconds = limits.bodySeconds * 1000;
    this.#behindProxy = behindProxy;
    const reflected = [...all, ...healthOperations(health, all)];
    this.#operations = new OperationTable([...reflected, ...reflectionOperations(reflected)]);
    this.#errorOfService = errorOfService;
    const json = jsonFormat(messageTypes(reflected), limits.jsonDepth);
    this.#deps = { dispatch, codings, heads: new ResponseHeads(codings.names), json, limits };
  }

  open(stream: Http2Stream, headers: RequestHeaders): StreamSink | undefined {
    const httpError = transportError(headers);
    if (httpError !== undefined) return respondHttp(stream, httpError);
    const operation = this.#operations.findRpc(headers.path);
    const now = Date.now();
    const head = readRequestHead(headers, stream.remoteAddress, this.#behindProxy, now, this.#deps.codings);
    if (operation === undefined || head.error !== undefined) {
      const service = headers.path.slice(0, headers.path.lastIndexOf("/")).split(/[./]/).at(-1)!;
      const error = head.error ?? this.#errorOfService(service) ??
        unimplemented(`${headers.path.slice(0, 200)} does not exist`);
      const format = head.isJson ? "json" : "proto";
      const trailers = errorTrailers(error, head.requestId, operation?.hasErrorInfo);
      stream.sendTrailers(this.#deps.heads.trailersOnly(trailers, format, head.requestId));
      return undefined;
    }
    if (takesOneMessage(operation)) stream.requestDueAt = now + this.#bodyMilliseconds;
    return operation.method.methodKind === "unary"
      ? new UnaryCall(this.#deps, operation, stream, head)
      : new StreamingCall(this.#deps, operation, stream, head);
  }

  refuseHeaders(stream: Http2Stream): void {
    const error = new GrpcError(RESOURCE_EXHAUSTED, `the headers exceed ${this.limits.headerListBytes} bytes`);
    stream.sendTrailers(this.#deps.heads.trailersOnly(errorTrailers(error, ""), "proto"));
  }
}

function takesOneMessage({ method: { methodKind } }: Operation): boolean {
  return methodKind === "unary" || methodKind === "server_streaming";
}

/** An HTTP response to a request that is not gRPC. */
interface HttpErrorResponse {
  readonly status: string;
  readonly text: string;
  readonly allow?: string;
}

function transportError({ method, fields }: RequestHeaders): HttpErrorResponse | undefined {
  if (!isGrpc(headerValue(fields, "content-type"))) {
    return { status: "415", text: `${NOT_GRPC} (content-type application/grpc)\n` };
  }
  return method === "POST" ? undefined : { status: "405", text: `${NOT_GRPC}, with POST\n`, allow: "POST" };
}

const NOT_GRPC = "this port speaks gRPC over HTTP/2; JSON over HTTP has a port of its own";
const NOT_HTTP2_RESPONSE = new TextEncoder().encode(
  "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n" +
    `content-length: ${NOT_GRPC.length + 1}\r\n\r\n${NOT_GRPC}\n`,
);

function respondHttp(stream: Http2Stream, { status, text, allow }: HttpErrorResponse): undefined {
  const fields: [string, string][] = [[":status", status], ["content-type", "text/plain; charset=utf-8"]];
  if (allow !== undefined) fields.push(["allow", allow]);
  stream.sendHeaders(encodeHeaderBlock(fields));
  stream.sendData([new TextEncoder().encode(text)]);
  stream.endData();
}
