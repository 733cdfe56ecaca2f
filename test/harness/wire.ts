import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { create, fromJson, toJson } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import {
  type UniversalClientRequest,
  type UniversalClientResponse,
  universalClientResponseFromFetch,
} from "@connectrpc/connect/protocol";
import { createTransport as connectTransport } from "@connectrpc/connect/protocol-connect";
import { createTransport as grpcWebTransport } from "@connectrpc/connect/protocol-grpc-web";
import { zlibCompress, zlibDecompress } from "../../core/host/listen/compress.ts";
import { zlibCodings } from "../../core/host/listen/message_codings.ts";
import type { HttpOptions } from "../../core/transports/http/options.ts";
import { httpPath } from "../../core/calls/operation.ts";
import { ERROR_CODES } from "../../core/base/errors.ts";
import { ErrorInfoSchema } from "../../proto/google/rpc/error_details_pb.ts";
import { TEST_RUNTIME } from "./database.ts";
import { CallError } from "./call_error.ts";

const ALL_WIRES = ["http", "grpc", "connect", "grpcweb"] as const;
/** A protocol that a test call can use. */
export type Wire = (typeof ALL_WIRES)[number];
/** The protocols that are available where tests run: all of them in process, all except native gRPC in workerd. */
export const WIRES: readonly Wire[] = ALL_WIRES.filter((wire) => wire !== "grpc" || TEST_RUNTIME === "process");
/** The protocols of the Connect library that work over fetch. */
export type FetchWire = "connect" | "grpcweb";

type Fetch = (request: Request) => Response | Promise<Response>;

/** The clients of a kernel that calls go through. */
export interface WireClients {
  readonly fetch: Fetch;
  readonly grpc: GrpcCaller;
}

/** A client of gRPC. */
interface GrpcCaller {
  call<Input extends DescMessage, Output extends DescMessage>(
    token: string | undefined,
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
  ): Promise<MessageShape<Output>>;
}

/**
 * Makes a call over a protocol.
 *
 * @throws CallError if the operation fails
 */
export function callOver<Input extends DescMessage, Output extends DescMessage>(
  wire: Wire,
  { fetch, grpc }: WireClients,
  token: string | undefined,
  method: DescMethodUnary<Input, Output>,
  request: MessageInitShape<Input>,
): Promise<MessageShape<Output>> {
  if (wire === "grpc") return grpc.call(token, method, request);
  return wire === "http" ? overHttp(fetch, token, method, request) : overRpc(wire, fetch, token, method, request);
}

async function overHttp<Input extends DescMessage, Output extends DescMessage>(
  fetch: Fetch,
  token: string | undefined,
  method: DescMethodUnary<Input, Output>,
  request: MessageInitShape<Input>,
): Promise<MessageShape<Output>> {
  const body = JSON.stringify(toJson(method.input, create(method.input, request), { useProtoFieldName: true }));
  const headers: Record<string, string> = token === undefined ? {} : { "x-cloud-access-token": token };
  const url = `http://edgehelm.test${httpPath(method)}`;
  const response = await fetch(new Request(url, { method: "POST", body, headers }));
  const { code, data, message, reason } = await response.json();
  if (code !== 200) throw new CallError(code, reason, message);
  return fromJson(method.output, data);
}

async function overRpc<Input extends DescMessage, Output extends DescMessage>(
  wire: FetchWire,
  fetch: Fetch,
  token: string | undefined,
  method: DescMethodUnary<Input, Output>,
  request: MessageInitShape<Input>,
): Promise<MessageShape<Output>> {
  const transport = transportOver(wire, fetch, token);
  try {
    const { message } = await transport.unary(method, undefined, undefined, undefined, request);
    return message;
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    // the library hides a failed connection behind a code that the server did not send
    if (error.code === Code.Unknown && error.cause instanceof TypeError) throw error.cause;
    const [info] = error.findDetails(ErrorInfoSchema);
    throw new CallError(envelopeCode(error.code), info?.reason ?? Code[error.code], error.rawMessage);
  }
}

/** Returns a client transport over a fetch function, which sends the access token with every request. */
export function transportOver(wire: FetchWire, fetch: Fetch, token: string | undefined): Transport {
  const createTransport = wire === "connect" ? connectTransport : grpcWebTransport;
  return createTransport({
    baseUrl: "http://edgehelm.test",
    httpClient: (request) => send(fetch, token, request),
    useBinaryFormat: true,
    interceptors: [],
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: 1024,
    readMaxBytes: 2 ** 26,
    writeMaxBytes: 2 ** 26,
  });
}

/** Sends the body as a whole: Node does not accept the streamed bodies of Connect. */
async function send(
  fetch: Fetch,
  token: string | undefined,
  { url, method, header, body }: UniversalClientRequest,
): Promise<UniversalClientResponse> {
  if (token !== undefined) header.set("x-cloud-access-token", token);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of body ?? []) chunks.push(new Uint8Array(chunk));
  const response = await fetch(new Request(url, { method, headers: header, body: new Blob(chunks) }));
  const responseHeader = new Headers(response.headers);
  // over a socket, fetch accepts codings by itself, and decodes them
  if (responseHeader.has("content-encoding")) {
    for (const name of ["content-encoding", "content-length"]) responseHeader.delete(name);
  }
  return { ...universalClientResponseFromFetch(response), header: responseHeader };
}

/** Returns the envelope code for a status code of gRPC or Connect, which share their numbers. */
export function envelopeCode(status: number): number {
  return Object.values(ERROR_CODES).find(({ grpc }) => grpc === status)?.envelope ?? 500;
}

/** The options of the HTTP application in tests, with what a host provides. */
export const HTTP_OPTIONS: Omit<HttpOptions, "notReady"> = {
  errorStatus: "ok",
  corsOrigins: [],
  behindProxy: false,
  compress: zlibCompress,
  decompress: zlibDecompress,
  codings: zlibCodings,
};
