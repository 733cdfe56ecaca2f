import { connect, type Socket } from "node:net";
import { encodeHeaderBlock } from "../../core/net/hpack/encoder.ts";
import { frameBytes, greeting, grpcRequest, joined } from "../harness/http2_client.ts";

/** How a client leaves. */
export const LEAVINGS = ["goaway", "reset", "half-close", "abrupt"] as const;
export type Leaving = (typeof LEAVINGS)[number];

/**
 * Opens connections one after the other, makes a call on each and leaves in the middle of a second one.
 *
 * @param parallel how many connections are open at the same time
 * @returns how many were answered
 */
export async function churn(
  address: string,
  token: string,
  connections: number,
  leaving: Leaving,
  parallel = 20,
): Promise<number> {
  let left = connections;
  let answered = 0;
  const lane = async () => {
    while (left-- > 0) if (await visit(address, token, leaving)) answered++;
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  return answered;
}

function visit(address: string, token: string, leaving: Leaving): Promise<boolean> {
  const [host, port] = address.split(":");
  return new Promise((resolve) => {
    let isAnswered = false;
    const socket = connect({ host: host!, port: Number(port), allowHalfOpen: true });
    socket.setNoDelay(true);
    socket.once("connect", () => socket.write(opening(token)));
    socket.on("data", (chunk: Uint8Array) => {
      if (isAnswered || !includes(chunk, "grpc-status")) return;
      isAnswered = true;
      leave(socket, token, leaving);
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(isAnswered));
  });
}

function opening(token: string): Uint8Array {
  return joined([greeting(), call(1, token)]);
}

function call(streamId: number, token: string): Uint8Array {
  const block = encodeHeaderBlock(grpcRequest("/edgehelm.test.echo.EchoService/echo", token));
  return joined([frameBytes(1, 4, streamId, block), frameBytes(0, 1, streamId, [0, 0, 0, 0, 2, 0x20, 7])]);
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
