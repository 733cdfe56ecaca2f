import { connect, type Socket } from "node:net";
import { encodeHeaderBlock } from "../../core/http2/hpack/encoder.ts";
import { frameBytes, joined } from "../harness/http2_client.ts";

const LARGEST_WINDOW = [0x7f, 0xff, 0, 0];

/** One connection to a gRPC server that sends whole calls and notes when each ends. */
export class GrpcConnection {
  readonly #socket: Socket;
  readonly #headers: Uint8Array;
  readonly #message: Uint8Array;
  readonly #ended: (streamId: number) => void;
  #nextId = 1;
  #rest = new Uint8Array();

  private constructor(socket: Socket, headers: Uint8Array, message: Uint8Array, ended: (streamId: number) => void) {
    this.#socket = socket;
    this.#headers = headers;
    this.#message = message;
    this.#ended = ended;
    socket.on("data", (chunk: Uint8Array) => this.#read(chunk));
  }

  static open(
    port: number,
    path: string,
    token: string,
    message: Uint8Array,
    ended: (streamId: number) => void,
  ): Promise<GrpcConnection> {
    const headers = encodeHeaderBlock([
      [":method", "POST"],
      [":scheme", "http"],
      [":path", path],
      ["content-type", "application/grpc"],
      ["te", "trailers"],
      ["x-cloud-access-token", token],
    ]);
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.setNoDelay(true);
        const preface = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        const settings = frameBytes(4, 0, 0, [0, 4, ...LARGEST_WINDOW]);
        socket.write(joined([preface, settings, frameBytes(8, 0, 0, LARGEST_WINDOW)]));
        resolve(new GrpcConnection(socket, headers, message, ended));
      });
      socket.once("error", reject);
    });
  }

  /** Starts a call and answers its stream. */
  call(): number {
    const id = this.#nextId;
    this.#nextId += 2;
    const length = this.#message.length;
    const prefix = [0, 0, 0, length >> 8, length & 255];
    this.#socket.write(
      joined([frameBytes(1, 4, id, this.#headers), frameBytes(0, 1, id, [...prefix, ...this.#message])]),
    );
    return id;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? chunk : joined([this.#rest, chunk]);
    let at = 0;
    while (bytes.length - at >= 9) {
      const end = at + 9 + (bytes[at]! << 16 | bytes[at + 1]! << 8 | bytes[at + 2]!);
      if (end > bytes.length) break;
      if (bytes[at + 3] === 1 && (bytes[at + 4]! & 1) !== 0) {
        this.#ended((bytes[at + 5]! << 24 | bytes[at + 6]! << 16 | bytes[at + 7]! << 8 | bytes[at + 8]!) >>> 0);
      }
      at = end;
    }
    this.#rest = bytes.slice(at);
  }
}

/** Calls at a steady rate over some connections; answers the latency in milliseconds that 99 of 100 calls stay under. */
export async function latencyAt(
  rate: number,
  seconds: number,
  open: (ended: (streamId: number) => void) => Promise<GrpcConnection>,
): Promise<number> {
  const latencies: number[] = [];
  const lanes = await Promise.all(Array.from({ length: 8 }, async () => {
    const begun = new Map<number, number>();
    const connection = await open((streamId) => {
      latencies.push(performance.now() - begun.get(streamId)!);
      begun.delete(streamId);
    });
    return { connection, begun };
  }));
  const started = performance.now();
  let sent = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - started) / 1000;
      for (; sent < rate * Math.min(elapsed, seconds); sent++) {
        const { connection, begun } = lanes[sent % lanes.length]!;
        const now = performance.now();
        begun.set(connection.call(), now);
      }
      if (elapsed < seconds || latencies.length < sent && elapsed < seconds + 5) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  for (const { connection } of lanes) connection.close();
  latencies.sort((one, other) => one - other);
  return latencies[Math.floor(latencies.length * 0.99)]!;
}
