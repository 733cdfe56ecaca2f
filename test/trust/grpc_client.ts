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
import { connect, type Socket } from "node:net";
import { HpackDecoder } from "../../core/net/hpack/decoder.ts";
import { encodeHeaderBlock } from "../../core/net/hpack/encoder.ts";
import { decodeBase64 } from "../../core/protobuf/json/base64.ts";
import { messagePrefix } from "../../core/transports/grpc/message_reader.ts";
import { ErrorInfoSchema } from "../../proto/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../proto/google/rpc/status_pb.ts";
import { CallError } from "../harness/call_error.ts";
import {
  clientPreface,
  concatBytes,
  type Frame,
  frameBytes,
  FrameParser,
  grpcRequest,
} from "../harness/http2_client.ts";
import { envelopeCode } from "../harness/wire.ts";

const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const PING = 6;
const GOAWAY = 7;
const WINDOW_UPDATE = 8;
const END_STREAM = 1;
const END_HEADERS = 4;
const MAX_FRAME = 16_384;
/** The setting of the initial window of a stream, 2^30. */
const WIDE_STREAMS = [0, 4, 0x40, 0, 0, 0];
const WIDE_CONNECTION = [0x3f, 0, 0, 0];
const CANCEL = [0, 0, 0, 8];

interface Exchange {
  readonly fields: Map<string, string>;
  readonly parts: Uint8Array[];
  readonly isCall: boolean;
  readonly ended: PromiseWithResolvers<void>;
}

/** A stream that the client holds open. */
export interface OpenStream {
  /** Resolves when the client, the server or a failure ends the stream. */
  readonly ended: Promise<void>;
  cancel(): void;
}

/** A client of native gRPC over one connection, on which calls run concurrently. */
export class GrpcClient {
  readonly #socket: Socket;
  readonly #decoder = new HpackDecoder(4096, 2 ** 20);
  readonly #parser = new FrameParser();
  readonly #exchanges = new Map<number, Exchange>();
  #received = 0;
  #nextId = 1;

  /** @param from the local address, such as 127.0.0.2 */
  constructor(url: string, from = "127.0.0.1") {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ port: Number(port), host: hostname, localAddress: from });
    this.#socket.setNoDelay(true);
    this.#socket.write(concatBytes([clientPreface(WIDE_STREAMS), frameBytes(WINDOW_UPDATE, 0, 0, WIDE_CONNECTION)]));
    this.#socket.on("data", (chunk: Uint8Array) => this.#read(chunk));
    this.#socket.on("error", () => this.#socket.destroy());
    this.#socket.on("close", () => this.#fail());
  }

  /**
   * Calls an operation.
   *
   * @throws CallError if the operation fails
   */
  async call<Input extends DescMessage, Output extends DescMessage>(
    token: string | undefined,
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
  ): Promise<MessageShape<Output>> {
    const message = toBinary(method.input, create(method.input, request));
    const { fields, parts } = await this.exchange(pathOf(method), token, message);
    const status = Number(fields.get("grpc-status"));
    if (status !== 0) throw callError(status, fields);
    return fromBinary(method.output, concatBytes(parts).subarray(5));
  }

  /** Sends one message, which need not be valid, and returns what was received. */
  async exchange(
    path: string,
    token: string | undefined,
    message: Uint8Array,
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<Pick<Exchange, "fields" | "parts">> {
    const [streamId, exchange] = this.#open(path, token, metadata, true);
    const body = concatBytes([messagePrefix(false, message.length), message]);
    for (let at = 0; at < body.length; at += MAX_FRAME) {
      const part = body.subarray(at, at + MAX_FRAME);
      this.#socket.write(frameBytes(DATA, at + part.length === body.length ? END_STREAM : 0, streamId, part));
    }
    await exchange.ended.promise;
    return exchange;
  }

  /** Opens a stream of a streaming operation and sends nothing over it. */
  stream(path: string, token: string): OpenStream {
    const [streamId, { ended }] = this.#open(path, token, {}, false);
    return { ended: ended.promise, cancel: () => this.#socket.write(frameBytes(RST_STREAM, 0, streamId, CANCEL)) };
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Resolves when the calls that were made so far have ended; streams are not waited for. */
  async idle(): Promise<void> {
    await Promise.allSettled(
      [...this.#exchanges.values()].filter(({ isCall }) => isCall).map(({ ended }) => ended.promise),
    );
  }

  /** Closes the connection without a word. */
  close(): void {
    this.#socket.destroy();
  }

  #open(
    path: string,
    token: string | undefined,
    metadata: Readonly<Record<string, string>>,
    isCall: boolean,
  ): [number, Exchange] {
    const streamId = this.#nextId;
    this.#nextId += 2;
    const exchange = { fields: new Map<string, string>(), parts: [], isCall, ended: Promise.withResolvers<void>() };
    // Who does not wait for the end of a stream need not handle that the connection ended.
    exchange.ended.promise.catch(() => {});
    if (this.isClosed) exchange.ended.reject(new Error("the connection is closed"));
    else this.#exchanges.set(streamId, exchange);
    const block = encodeHeaderBlock(grpcRequest(path, token, metadata));
    this.#socket.write(frameBytes(HEADERS, END_HEADERS, streamId, block));
    return [streamId, exchange];
  }

  #read(chunk: Uint8Array): void {
    for (const frame of this.#parser.parse(chunk)) {
      if (frame.type === PING && (frame.flags & 1) === 0) this.#socket.write(frameBytes(PING, 1, 0, frame.payload));
      else if (frame.type === GOAWAY) this.#socket.end();
      else this.#readOfStream(frame);
    }
    if (this.#received < 2 ** 28) return;
    this.#socket.write(frameBytes(WINDOW_UPDATE, 0, 0, [this.#received >>> 24, 0, 0, 0]));
    this.#received %= 2 ** 24;
  }

  #readOfStream({ type, flags, streamId, payload }: Frame): void {
    const exchange = this.#exchanges.get(streamId);
    if (type === HEADERS) {
      // Every block changes the state of the decoder, also one of a stream that was cancelled.
      const { fields } = this.#decoder.decode(payload, 0, payload.length);
      for (const { name, value } of fields) exchange?.fields.set(name, value);
    } else if (type === DATA) {
      this.#received += payload.length;
      exchange?.parts.push(payload.slice());
    } else if (type !== RST_STREAM) return;
    if (type !== RST_STREAM && (flags & END_STREAM) === 0) return;
    this.#exchanges.delete(streamId);
    exchange?.ended.resolve();
  }

  #fail(): void {
    for (const { ended } of this.#exchanges.values()) ended.reject(new Error("the connection was closed"));
    this.#exchanges.clear();
  }
}

function pathOf({ parent, name }: DescMethodUnary): string {
  return `/${parent.typeName}/${name}`;
}

function callError(status: number, fields: ReadonlyMap<string, string>): CallError {
  const details = fields.get("grpc-status-details-bin");
  const [any] = details === undefined ? [] : fromBinary(StatusSchema, decodeBase64(details)!).details;
  const info = any && anyUnpack(any, ErrorInfoSchema);
  const message = decodeURIComponent(fields.get("grpc-message") ?? "");
  return new CallError(envelopeCode(status), info?.reason ?? `status ${status}`, message);
}
