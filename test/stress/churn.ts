import { connect, type Socket } from "node:net";
import { encodeHeaderBlock } from "../../core/net/hpack/encoder.ts";
import { clientPreface, concatBytes, frameBytes, grpcRequest } from "../harness/http2_client.ts";

/** The ways in which a client disconnects. */
export const LEAVINGS = ["goaway", "reset", "half-close", "abrupt"] as const;
export type Leaving = (typeof LEAVINGS)[number];

/**
 * Opens connections, completes a call on each and disconnects during a second call.
 *
 * @param parallel the number of concurrent connections
 * @returns the number of completed first calls
 */
export async function churn(
  address: string,
  token: string,
  connections: number,
  leaving: Leaving,
  parallel = 20,
): Promise<number> {
  let remaining = connections;
  let completed = 0;
  const worker = async () => {
    while (remaining-- > 0) if (await connectOnce(address, token, leaving)) completed++;
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return completed;
}

function connectOnce(address: string, token: string, leaving: Leaving): Promise<boolean> {
  const [host, port] = address.split(":");
  return new Promise((resolve) => {
    let isCompleted = false;
    const socket = connect({ host: host!, port: Number(port), allowHalfOpen: true });
    socket.setNoDelay(true);
    socket.once("connect", () => socket.write(opening(token)));
    socket.on("data", (chunk: Uint8Array) => {
      if (isCompleted || !includes(chunk, "grpc-status")) return;
      isCompleted = true;
      leave(socket, token, leaving);
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(isCompleted));
  });
}

function opening(token: string): Uint8Array {
  return concatBytes([clientPreface(), call(1, token)]);
}

function call(streamId: number, token: string): Uint8Array {
  const block = encodeHeaderBlock(grpcRequest("/edgehelm.test.echo.EchoService/echo", token));
  return concatBytes([frameBytes(1, 4, streamId, block), frameBytes(0, 1, streamId, [0, 0, 0, 0, 2, 0x20, 7])]);
}

function leave(socket: Socket, token: string, leaving: Leaving): void {
  socket.write(call(3, token));
  switch (leaving) {
    case "goaway":
      socket.end(frameBytes(7, 0, 0, new Uint8Array(8)));
      break;
    case "reset":
      socket.resetAndDestroy();
      break;
    case "half-close":
      socket.end();
      break;
    case "abrupt":
      socket.destroy();
  }
}

function includes(chunk: Uint8Array, text: string): boolean {
  return new TextDecoder("latin1").decode(chunk).includes(text);
}
