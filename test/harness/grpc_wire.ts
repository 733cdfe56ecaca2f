import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { GrpcService } from "../../core/transports/grpc/service.ts";
import { Health } from "../../core/transports/grpc/health.ts";
import { messagePrefix } from "../../core/transports/grpc/message_reader.ts";
import { zlibCodings } from "../../core/host/listen/message_codings.ts";
import { Http2Server } from "../../core/net/http2/server.ts";
import { decodeBase64 } from "../../core/protobuf/json/base64.ts";
import type { Kernel } from "../../core/kernel/kernel.ts";
import { ErrorInfoSchema } from "../../proto/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../proto/google/rpc/status_pb.ts";
import { CallError } from "./call_error.ts";
import { concatBytes, frameBytes, grpcRequest, Http2Client } from "./http2_client.ts";
import { envelopeCode } from "./wire.ts";

const HEADERS = 1;
const DATA = 0;
const END_STREAM = 1;
const WINDOW = 2 ** 30;

/** A gRPC client of a kernel, over one in-memory connection. */
export class GrpcWire {
  readonly #client: Http2Client;
  #nextId = 1;

  constructor(kernel: Kernel) {
    const service = new GrpcService(kernel, {
      codings: zlibCodings,
      health: new Health(() => true),
      behindProxy: false,
    });
    this.#client = Http2Client.connect(new Http2Server(service, queueMicrotask), [0, 4, 0x3f, 0xff, 0xff, 0xff]);
    this.#client.frame(8, 0, 0, [WINDOW >>> 24, 0, 0, 0]);
  }

  close(): void {
    this.#client.close();
  }

  /**
   * Calls an operation.
   *
   * @param isGzip true to compress the request and accept a compressed response
   * @param metadata further headers
   * @throws CallError if the operation fails
   */
  async call<Input extends DescMessage, Output extends DescMessage>(
    token: string | undefined,
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
    isGzip = false,
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<MessageShape<Output>> {
    const client = this.#client;
    const plain = toBinary(method.input, create(method.input, request));
    const message = isGzip ? await zlibCodings.compress("gzip", plain) : plain;
    const streamId = this.#nextId;
    this.#nextId += 2;
    const headers = { ...metadata, ...isGzip && { "grpc-encoding": "gzip", "grpc-accept-encoding": "gzip" } };
    client.headers(streamId, grpcRequest(`/${method.parent.typeName}/${method.name}`, token, headers));
    sendMessage(client, streamId, message, isGzip);
    await client.until((frame) => frame.streamId === streamId && (frame.flags & END_STREAM) !== 0);
    return await this.#readResponse(method.output, streamId);
  }

  async #readResponse<Output extends DescMessage>(type: Output, streamId: number): Promise<MessageShape<Output>> {
    const frames = this.#client.frames;
    const own = frames.filter((frame) => frame.streamId === streamId);
    frames.splice(0, frames.length, ...frames.filter((frame) => frame.streamId !== streamId));
    const fields = new Map<string, string>();
    for (const { type: frameType, payload } of own) {
      if (frameType !== HEADERS) continue;
      for (const { name, value } of this.#client.decoder.decode(payload, 0, payload.length).fields) {
        fields.set(name, value);
      }
    }
    const status = Number(fields.get("grpc-status"));
    if (status !== 0) throw grpcCallError(status, fields);
    const body = concatBytes(own.filter((frame) => frame.type === DATA).map(({ payload }) => payload));
    const message = body.subarray(5);
    return fromBinary(type, body[0] === 1 ? await zlibCodings.decompress("gzip", message, 2 ** 26) : message);
  }
}

/** Sends a message and ends the request, in frames of the maximum size that every server accepts by default. */
function sendMessage(client: Http2Client, streamId: number, message: Uint8Array, isGzip: boolean): void {
  const body = concatBytes([messagePrefix(isGzip, message.length), message]);
  for (let at = 0; at < body.length; at += 16_384) {
    const part = body.subarray(at, at + 16_384);
    client.send(frameBytes(DATA, at + part.length === body.length ? END_STREAM : 0, streamId, part));
  }
}

/** Returns the error of a response. */
export function grpcCallError(status: number, fields: ReadonlyMap<string, string>): CallError {
  const details = fields.get("grpc-status-details-bin");
  const [any] = details === undefined ? [] : fromBinary(StatusSchema, decodeBase64(details)!).details;
  const info = any && anyUnpack(any, ErrorInfoSchema);
  const message = decodeURIComponent(fields.get("grpc-message") ?? "");
  return new CallError(envelopeCode(status), info?.reason ?? `status ${status}`, message);
}
