import { connect } from "node:net";
import type { Http2Server } from "../../../core/net/http2/server.ts";
import { concatBytes, type Frame, frameBytes, grpcRequest, Http2Client } from "../../harness/http2_client.ts";

const [DATA, HEADERS] = [0, 1];
const END_STREAM = 1;

/** A gRPC call over a connection of its own. */
export interface SocketCall {
  /** The fields of the response, its trailers included. Rejects if the connection closes before. */
  readonly fields: Promise<ReadonlyMap<string, string>>;
  /** The body that has arrived, in frames of gRPC. */
  body(): Uint8Array;
  close(): void;
}

/**
 * Begins a gRPC call.
 *
 * @param url the address of the listener
 * @param message the request; undefined to keep the request open
 */
export function callOverSocket(url: string, path: string, token: string, message?: Uint8Array): SocketCall {
  const client = connectTo(url);
  client.headers(1, grpcRequest(path, token));
  if (message !== undefined) {
    const prefix = new Uint8Array([0, 0, 0, 0, message.length]);
    client.send(frameBytes(DATA, END_STREAM, 1, concatBytes([prefix, message])));
  }
  const parts = () => client.frames.filter(({ streamId, type }) => streamId === 1 && type === DATA);
  return {
    fields: fieldsOf(client),
    body: () => concatBytes(parts().map(({ payload }) => payload)),
    close: () => client.close(),
  };
}

/** A client over a socket, which takes the place of a server in memory. */
function connectTo(url: string): Http2Client {
  const { hostname, port } = new URL(url);
  const server = {
    connect({ write, end }: { write(bytes: Uint8Array): boolean; end(): void }) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on("data", (chunk: Uint8Array) => write(chunk));
      socket.on("error", () => socket.destroy());
      socket.on("close", () => end());
      return { received: (bytes: Uint8Array) => socket.write(bytes), closed: () => socket.destroy() };
    },
  };
  return Http2Client.connect(server as unknown as Http2Server);
}

async function fieldsOf(client: Http2Client): Promise<ReadonlyMap<string, string>> {
  const isLast = ({ streamId, type, flags }: Frame) => streamId === 1 && type === HEADERS && (flags & END_STREAM) !== 0;
  await client.until(isLast);
  const blocks = client.frames.filter(({ streamId, type }) => streamId === 1 && type === HEADERS);
  return new Map(
    blocks.flatMap(({ payload }) => client.decoder.decode(payload, 0, payload.length).fields)
      .map(({ name, value }) => [name, value]),
  );
}
