import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { encodeHeaderBlock } from "../../../core/net/hpack/encoder.ts";
import { frameBytes, FrameCutter, greeting, grpcRequest, joined } from "../../harness/http2_client.ts";
import { type EchoServer, startEchoServer } from "./echo_server.ts";

let echo: EchoServer | undefined;
afterEach(async () => {
  await echo?.stop().catch(() => {});
  echo = undefined;
});

const HELLO = greeting();

function open(address: string): Socket {
  const [host, port] = address.split(":");
  return connect({ host: host!, port: Number(port) });
}

function closed(socket: Socket): Promise<void> {
  socket.on("error", () => {});
  socket.resume();
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

/** What a client reads, frame by frame, over a real socket. */
class Reader {
  readonly statuses = new Map<number, string>();
  goesAway = false;

  constructor(socket: Socket) {
    const cutter = new FrameCutter();
    socket.on("data", (chunk: Uint8Array) => {
      for (const { type, flags, streamId, payload } of cutter.cut(chunk)) {
        if (type === 7) this.goesAway = true;
        // As every client does, so that the server knows that its GOAWAY was heard.
        if (type === 6 && (flags & 1) === 0) socket.write(frameBytes(6, 1, 0, payload));
        if (type === 1 && (flags & 1) !== 0) this.statuses.set(streamId, new TextDecoder("latin1").decode(payload));
      }
    });
  }
}

function call(streamId: number, token: string, milliseconds: number): Uint8Array {
  const block = encodeHeaderBlock(grpcRequest("/edgehelm.test.echo.EchoService/echo", token));
  const message = [0x10, milliseconds & 0x7f | 0x80, milliseconds >> 7];
  return joined([frameBytes(1, 4, streamId, block), frameBytes(0, 1, streamId, [0, 0, 0, 0, 3, ...message])]);
}

/** Resolves when the server has answered the preface of HTTP/2. */
function greeted(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once("data", resolve);
    socket.write(HELLO);
  });
}

describe("connections", () => {
  test("beyond the limit of an address are closed, the others are served", async () => {
    echo = await startEchoServer({ limits: { grpcConnectionsPerAddress: 2 } });
    const [one, two] = [open(echo.address), open(echo.address)];
    await Promise.all([one, two].map(greeted));
    await closed(open(echo.address));
    expect([one.closed, two.closed]).toEqual([false, false]);
    one.destroy();
    await closed(one);
    two.destroy();
  });

  test("of a proxy are of all callers, and only all together are limited", async () => {
    echo = await startEchoServer({ behindProxy: true, limits: { grpcConnectionsPerAddress: 1, grpcConnections: 3 } });
    const sockets = [1, 2, 3].map(() => open(echo!.address));
    await Promise.all(sockets.map(greeted));
    await closed(open(echo.address));
    for (const socket of sockets) socket.destroy();
  });

  test("that send nothing, or a byte now and then, are closed", async () => {
    echo = await startEchoServer({ limits: { headerSeconds: 1 } });
    const silent = Array.from({ length: 20 }, () => open(echo!.address));
    const slow = Array.from({ length: 20 }, () => open(echo!.address));
    let sent = 0;
    const drip = setInterval(() => {
      for (const socket of slow) if (!socket.destroyed) socket.write(HELLO.subarray(sent, sent + 1));
      sent++;
    }, 200);
    await Promise.all([...silent, ...slow].map(closed));
    clearInterval(drip);
    expect(sent).toBeLessThan(HELLO.length);
  }, 20_000);

  test("that do not shake hands are closed too", async () => {
    echo = await startEchoServer({ tls: true, limits: { headerSeconds: 1 } });
    await closed(open(echo.address));
  }, 20_000);

  test("without ALPN h2 get no further over TLS", async () => {
    echo = await startEchoServer({ tls: true });
    const [host, port] = echo.address.split(":");
    const socket = connectTls({
      host: host!,
      port: Number(port),
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
    });
    await closed(socket);
  }, 20_000);
});

test("SIGTERM under load fails no call that was accepted", async () => {
  echo = await startEchoServer();
  const { server, address, token } = echo;
  const clients = Array.from({ length: 8 }, () => {
    const socket = open(address);
    socket.write(HELLO);
    return { socket, reader: new Reader(socket), asked: 0, ended: closed(socket) };
  });
  let stopped: Promise<unknown> | undefined;
  const load = setInterval(() => {
    for (const client of clients) {
      if (!client.reader.goesAway && !client.socket.destroyed) {
        client.socket.write(call(1 + 2 * client.asked++, token, 200));
      }
    }
    if (clients.every(({ reader }) => reader.statuses.size > 20)) stopped ??= server.stop();
  }, 10);
  await Promise.all(clients.map(({ ended }) => ended));
  clearInterval(load);
  expect(await stopped).toBe(0);
  echo = undefined;
  for (const { reader, asked } of clients) {
    const statuses = [...reader.statuses.values()];
    expect(statuses.filter((text) => !/grpc-status.0/.test(text))).toEqual([]);
    // What was not answered was sent before GOAWAY was heard, and was refused by its number.
    expect(asked - statuses.length).toBeLessThanOrEqual(5);
  }
}, 30_000);
