import { connect, type Socket } from "node:net";
import { HpackDecoder } from "../../core/net/hpack/decoder.ts";
import { encodeHeaderBlock } from "../../core/net/hpack/encoder.ts";
import { messagePrefix } from "../../core/transports/grpc/message_reader.ts";
import { clientPreface, concatBytes, frameBytes, FrameParser, grpcRequest } from "../harness/http2_client.ts";

const HEADERS = 1;
const DATA = 0;
const END_STREAM = 1;
const END_HEADERS = 4;

/** A gRPC connection that makes one call after the other. */
export class GrpcCaller {
  readonly #socket: Socket;
  readonly #token: string;
  readonly #decoder = new HpackDecoder(4096, 2 ** 20);
  readonly #parser = new FrameParser();
  #pending: PromiseWithResolvers<number> | undefined;
  #nextId = 1;

  constructor(url: string, token: string) {
    const { hostname, port } = new URL(url);
    this.#token = token;
    this.#socket = connect(Number(port), hostname);
    this.#socket.write(clientPreface());
    this.#socket.on("data", (chunk: Uint8Array) => this.#read(chunk));
    this.#socket.on("error", (error) => this.#pending?.reject(error));
    this.#socket.on("close", () => this.#pending?.reject(new Error("the connection was closed")));
  }

  /** Makes a call and returns its gRPC status. Throws if the connection ends before. */
  call(path: string, message: Uint8Array): Promise<number> {
    const streamId = this.#nextId;
    this.#nextId += 2;
    this.#pending = Promise.withResolvers();
    if (this.#socket.destroyed) this.#pending.reject(new Error("the connection is closed"));
    else {
      const headers = encodeHeaderBlock(grpcRequest(path, this.#token));
      this.#socket.write(concatBytes([
        frameBytes(HEADERS, END_HEADERS, streamId, headers),
        frameBytes(DATA, END_STREAM, streamId, concatBytes([messagePrefix(false, message.length), message])),
      ]));
    }
    return this.#pending.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Uint8Array): void {
    for (const { type, flags, payload } of this.#parser.parse(chunk)) {
      if (type !== HEADERS) continue;
      const { fields } = this.#decoder.decode(payload, 0, payload.length);
      const status = fields.find(({ name }) => name === "grpc-status")?.value;
      if ((flags & END_STREAM) !== 0) this.#pending?.resolve(Number(status));
    }
  }
}
