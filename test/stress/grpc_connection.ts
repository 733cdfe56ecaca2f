import { connect, type Socket } from "node:net";
import { messagePrefix } from "../../core/transports/grpc/message_reader.ts";
import { encodeHeaderBlock } from "../../core/net/hpack/encoder.ts";
import { clientPreface, concatBytes, frameBytes, FrameParser, grpcRequest } from "../harness/http2_client.ts";

const MAX_WINDOW = [0x7f, 0xff, 0, 0];
/** The offset of the stream's number in both frames of a call. */
const STREAM_ID = 5;

/** One connection to a gRPC server that sends whole calls and notes when each ends. */
export class GrpcConnection {
  readonly #socket: Socket;
  /** A call as it goes over the wire, but for its stream's number. */
  readonly #call: Uint8Array;
  readonly #dataAt: number;
  readonly #parser = new FrameParser();
  #nextId = 1;

  private constructor(socket: Socket, headers: Uint8Array, data: Uint8Array, ended: (streamId: number) => void) {
    this.#socket = socket;
    this.#call = concatBytes([headers, data]);
    this.#dataAt = headers.length;
    socket.on("data", (chunk: Uint8Array) => {
      for (const { type, flags, streamId } of this.#parser.parse(chunk)) {
        if (type === 1 && (flags & 1) !== 0) ended(streamId);
      }
    });
  }

  static open(
    port: number,
    path: string,
    token: string,
    message: Uint8Array,
    ended: (streamId: number) => void,
  ): Promise<GrpcConnection> {
    const headers = frameBytes(1, 4, 0, encodeHeaderBlock(grpcRequest(path, token)));
    const data = frameBytes(0, 1, 0, concatBytes([messagePrefix(false, message.length), message]));
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.setNoDelay(true);
        socket.write(concatBytes([clientPreface([0, 4, ...MAX_WINDOW]), frameBytes(8, 0, 0, MAX_WINDOW)]));
        resolve(new GrpcConnection(socket, headers, data, ended));
      });
      socket.once("error", reject);
    });
  }

  /** Starts some calls in one write; returns the first stream, which the others follow by twos. */
  call(count: number): number {
    const first = this.#nextId;
    const bytes = new Uint8Array(count * this.#call.length);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < bytes.length; at += this.#call.length, this.#nextId += 2) {
      bytes.set(this.#call, at);
      view.setUint32(at + STREAM_ID, this.#nextId);
      view.setUint32(at + this.#dataAt + STREAM_ID, this.#nextId);
    }
    this.#socket.write(bytes);
    return first;
  }

  close(): void {
    this.#socket.destroy();
  }
}
