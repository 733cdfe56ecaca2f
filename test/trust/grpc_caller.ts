import { create, type DescMessage, type DescMethodUnary, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { connect, type Socket } from "node:net";
import { encodeHeaderBlock } from "../../core/net/hpack/encoder.ts";
import { HpackDecoder } from "../../core/net/hpack/decoder.ts";
import { messagePrefix } from "../../core/transports/grpc/message_reader.ts";
import { clientPreface, concatBytes, frameBytes, FrameParser, grpcRequest } from "../harness/http2_client.ts";
import { grpcCallError } from "../harness/grpc_wire.ts";
import { NoResponse } from "./no_response.ts";

const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const GOAWAY = 7;
const WINDOW_UPDATE = 8;
const END_STREAM = 1;
const END_HEADERS = 4;
const SETTINGS_WITH_LARGE_WINDOW = [0, 4, 0x3f, 0xff, 0xff, 0xff];
const MORE_WINDOW = [0x3f, 0xff, 0, 0];

/** The response to the call that is going on. */
interface Response {
  readonly ended: PromiseWithResolvers<void>;
  readonly fields: Map<string, string>;
  readonly body: Uint8Array[];
}

/** A gRPC connection that makes one call after the other. */
export class GrpcCaller {
  readonly #socket: Socket;
  readonly #decoder = new HpackDecoder(4096, 2 ** 20);
  readonly #parser = new FrameParser();
  #response: Response | undefined;
  #nextId = 1;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true);
    this.#socket.write(clientPreface(SETTINGS_WITH_LARGE_WINDOW));
    this.#socket.write(frameBytes(WINDOW_UPDATE, 0, 0, MORE_WINDOW));
    this.#socket.on("data", (chunk: Uint8Array) => this.#read(chunk));
    this.#socket.on("error", (error) => this.#fail(error.message));
    this.#socket.on("close", () => this.#fail("the connection was closed"));
  }

  /**
   * Makes a call. The one before must have ended.
   *
   * @throws CallError if the operation fails
   * @throws NoResponse if the connection ends before the response
   */
  async call<Input extends DescMessage, Output extends DescMessage>(
    token: string | undefined,
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<MessageShape<Output>> {
    if (this.#socket.destroyed) throw new NoResponse("the connection is closed");
    const message = toBinary(method.input, create(method.input, request));
    const streamId = this.#nextId;
    this.#nextId += 2;
    const response = { ended: Promise.withResolvers<void>(), fields: new Map<string, string>(), body: [] };
    this.#response = response;
    const headers = grpcRequest(`/${method.parent.typeName}/${method.name}`, token, metadata);
    this.#socket.write(concatBytes([
      frameBytes(HEADERS, END_HEADERS, streamId, encodeHeaderBlock(headers)),
      frameBytes(DATA, END_STREAM, streamId, concatBytes([messagePrefix(false, message.length), message])),
    ]));
    await response.ended.promise;
    const status = Number(response.fields.get("grpc-status"));
    if (status !== 0) throw grpcCallError(status, response.fields);
    return fromBinary(method.output, concatBytes(response.body).subarray(5));
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  close(): void {
    this.#socket.destroy();
  }

  #fail(message: string): void {
    this.#response?.ended.reject(new NoResponse(message));
  }

  #read(chunk: Uint8Array): void {
    for (const { type, flags, payload } of this.#parser.parse(chunk)) {
      if (type === DATA) this.#response?.body.push(payload.slice());
      if (type === HEADERS) {
        for (const { name, value } of this.#decoder.decode(payload, 0, payload.length).fields) {
          this.#response?.fields.set(name, value);
        }
      }
      if (type === RST_STREAM || type === GOAWAY) this.#fail("the server ended the stream");
      else if ((type === DATA || type === HEADERS) && (flags & END_STREAM) !== 0) this.#response?.ended.resolve();
    }
  }
}
