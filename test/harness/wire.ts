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
import { httpPath } from "../../core/calls/operation.ts";
import { ERROR_CODES } from "../../core/base/errors.ts";
import { ErrorInfoSchema } from "../../proto/google/rpc/error_details_pb.ts";
import { TEST_RUNTIME } from "./database.ts";
import { CallFailure } from "./failure.ts";
import type { GrpcWire } from "./grpc_wire.ts";

/** The ways in which a call can travel. */
const ALL_WIRES = ["http", "grpc", "connect", "grpcweb"] as const;
export type Wire = (typeof ALL_WIRES)[number];
/** Those of them that lead where tests run. */
export const WIRES: readonly Wire[] = ALL_WIRES.filter((wire) => wire !== "grpc" || TEST_RUNTIME === "process");
/** The protocols of Connect that travel in plain requests. */
export type FetchWire = "connect" | "grpcweb";

type Fetch = (request: Request) => Response | Promise<Response>;

/** Where the wires lead. */
export interface Wired {
  readonly fetch: Fetch;
  readonly grpc: GrpcWire;
}

/** Makes one call over a wire, in process; throws CallFailure. */
export function callOver<Input extends DescMessage, Output extends DescMessage>(
  wire: Wire,
  { fetch, grpc }: Wired,
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
  if (code !== 200) throw new CallFailure(code, reason, message);
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
    const [info] = error.findDetails(ErrorInfoSchema);
    throw new CallFailure(envelopeCode(error.code), info?.reason ?? Code[error.code], error.rawMessage);
  }
}

/** A client's transport in process, with the access token on every request. */
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

/** The body goes whole: Node takes a streamed one in no Request that Connect makes. */
async function send(
  fetch: Fetch,
  token: string | undefined,
  { url, method, header, body }: UniversalClientRequest,
): Promise<UniversalClientResponse> {
  if (token !== undefined) header.set("x-cloud-access-token", token);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of body ?? []) chunks.push(new Uint8Array(chunk));
  return universalClientResponseFromFetch(
    await fetch(new Request(url, { method, headers: header, body: new Blob(chunks) })),
  );
}

/** The envelope's code for a status of gRPC or Connect, which have the same numbers. */
export function envelopeCode(status: number): number {
  return Object.values(ERROR_CODES).find(({ grpc }) => grpc === status)?.envelope ?? 500;
}
