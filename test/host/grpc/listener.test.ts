import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { encodeHeaderBlock } from "../../../core/net/hpack/encoder.ts";
import { clientPreface, concatBytes, frameBytes, FrameParser, grpcRequest } from "../../harness/http2_client.ts";
import { type EchoServer, startEchoServer } from "./echo_server.ts";

let echo: EchoServer | undefined;
afterEach(async () => {
  await echo?.stop().catch(() => {});
  echo = undefined;
});

const PREFACE = clientPreface();

function open(address: string): Socket {
  const [host, port] = address.split(":");
  return connect({ host: host!, port: Number(port) });
}

function closed(socket: Socket): Promise<void> {
  socket.on("error", () => {});
  socket.resume();
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

/** Reads the frames that a client receives over a real socket. */
class Reader {
  readonly statuses = new Map<number, string>();
  hasGoaway = false;

  constructor(socket: Socket) {
    const parser = new FrameParser();
    socket.on("data", (chunk: Uint8Array) => {
      for (const { type, flags, streamId, payload } of parser.parse(chunk)) {
        if (type === 7) this.hasGoaway = true;
        // Acknowledge pings, so that the server knows that the client has seen its GOAWAY.
        if (type === 6 && (flags & 1) === 0) socket.write(frameBytes(6, 1, 0, payload));
        if (type === 1 && (flags & 1) !== 0) this.statuses.set(streamId, new TextDecoder("latin1").decode(payload));
      }
    });
  }
}

function call(streamId: number, token: string, milliseconds: number): Uint8Array {
  const block = encodeHeaderBlock(grpcRequest("/edgehelm.test.echo.EchoService/echo", token));
  const message = [0x10, milliseconds & 0x7f | 0x80, milliseconds >> 7];
  return concatBytes([frameBytes(1, 4, streamId, block), frameBytes(0, 1, streamId, [0, 0, 0, 0, 3, ...message])]);
}

/** Sends the connection preface and waits for the first bytes of the server. */
function exchangePreface(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once("data", resolve);
    socket.write(PREFACE);
  });
}

describe("connections", () => {
  test("beyond the limit per address are closed, and the others are served", async () => {
    echo = await startEchoServer({ limits: { grpcConnectionsPerAddress: 2 } });
    const [first, second] = [open(echo.address), open(echo.address)];
    await Promise.all([first, second].map(exchangePreface));
    await closed(open(echo.address));
    expect([first.closed, second.closed]).toEqual([false, false]);
    first.destroy();
    await closed(first);
    second.destroy();
  });

  test("behind a proxy are limited in total only", async () => {
    echo = await startEchoServer({ behindProxy: true, limits: { grpcConnectionsPerAddress: 1, grpcConnections: 3 } });
    const sockets = [1, 2, 3].map(() => open(echo!.address));
    await Promise.all(sockets.map(exchangePreface));
    await closed(open(echo.address));
    for (const socket of sockets) socket.destroy();
  });

  test("that send nothing, or single bytes slowly, are closed", async () => {
    echo = await startEchoServer({ limits: { headerSeconds: 1 } });
    const silent = Array.from({ length: 20 }, () => open(echo!.address));
    const slow = Array.from({ length: 20 }, () => open(echo!.address));
    let sent = 0;
    const drip = setInterval(() => {
      for (const socket of slow) if (!socket.destroyed) socket.write(PREFACE.subarray(sent, sent + 1));
      sent++;
    }, 200);
    await Promise.all([...silent, ...slow].map(closed));
    clearInterval(drip);
    expect(sent).toBeLessThan(PREFACE.length);
  });

  test("that do not complete the TLS handshake are closed", async () => {
    echo = await startEchoServer({ tls: true, limits: { headerSeconds: 1 } });
    await closed(open(echo.address));
  });

  test("that do not negotiate h2 by ALPN are closed", async () => {
    echo = await startEchoServer({ tls: true });
    const [host, port] = echo.address.split(":");
    const socket = connectTls({
      host: host!,
      port: Number(port),
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
    });
    await closed(socket);
  });
});

test("SIGTERM under load fails no accepted call", async () => {
  echo = await startEchoServer();
  const { server, address, token } = echo;
  const clients = Array.from({ length: 8 }, () => {
    const socket = open(address);
    socket.write(PREFACE);
    return { socket, reader: new Reader(socket), sent: 0, ended: closed(socket) };
  });
  let stopped: Promise<unknown> | undefined;
  const load = setInterval(() => {
    for (const client of clients) {
      if (!client.reader.hasGoaway && !client.socket.destroyed) {
        client.socket.write(call(1 + 2 * client.sent++, token, 200));
      }
    }
    if (clients.every(({ reader }) => reader.statuses.size > 20)) stopped ??= server.stop();
  }, 10);
  await Promise.all(clients.map(({ ended }) => ended));
  clearInterval(load);
  expect(await stopped).toBe(0);
  echo = undefined;
  for (const { reader, sent } of clients) {
    const statuses = [...reader.statuses.values()];
    expect(statuses.filter((text) => !/grpc-status.0/.test(text))).toEqual([]);
    // Calls without a response were sent before GOAWAY arrived and were refused by their stream ids.
    expect(sent - statuses.length).toBeLessThanOrEqual(5);
  }
});
