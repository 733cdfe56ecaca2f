import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { Duplex } from "node:stream";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import { machineOutbound } from "../../../core/host/outbound/outbound.ts";
import { certificateFor } from "./peers.ts";

const outbound = machineOutbound({ allow: ["127.0.0.1"] }, () => Promise.resolve(["127.0.0.1"]));
const certificate = certificateFor("mail.example.com");
const ca = certificate.cert;
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (value: string) => new TextEncoder().encode(value);

async function listening(server: Server) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Greets, and then repeats each piece that it receives. */
function echo(socket: Socket): void {
  socket.on("error", () => {});
  socket.write("hello\n");
  socket.on("data", (chunk) => socket.write(chunk));
  socket.on("end", () => socket.end());
}

test("connect exchanges bytes over TCP until the peer ends", async () => {
  await using server = await listening(createServer({ allowHalfOpen: true }, echo));
  await using connection = await outbound.connect({ host: "mail.example.com", port: server.port });
  expect(connection.remoteAddress).toBe("127.0.0.1");
  const reader = connection.readable.getReader();
  expect(text((await reader.read()).value!)).toBe("hello\n");
  const writer = connection.writable.getWriter();
  await writer.write(bytes("one\n"));
  expect(text((await reader.read()).value!)).toBe("one\n");
  await writer.close();
  expect(await reader.read()).toEqual({ done: true, value: undefined });
});

test("a library that wants a stream of Node gets one", async () => {
  await using server = await listening(createServer({ allowHalfOpen: true }, echo));
  await using connection = await outbound.connect({ host: "127.0.0.1", port: server.port });
  const stream = Duplex.fromWeb(connection as never);
  stream.end("one\n");
  let received = "";
  for await (const chunk of stream) received += text(chunk);
  expect(received).toBe("hello\none\n");
});

test("a large transfer arrives whole, read at the pace of its reader", async () => {
  const size = 3_000_000;
  await using server = await listening(createServer((socket) => socket.end(new Uint8Array(size).fill(7))));
  await using connection = await outbound.connect({ host: "127.0.0.1", port: server.port });
  let count = 0;
  for await (const chunk of connection.readable) count += chunk.length;
  expect(count).toBe(size);
});

test("TLS is checked against the host, or against the name that is given", async () => {
  await using server = await listening(createTlsServer(certificate, echo));
  const { port } = server;
  for (
    const target of [
      { host: "mail.example.com", tls: { ca } },
      { host: "127.0.0.1", tls: { ca } },
      { host: "other.example.com", tls: { ca, serverName: "mail.example.com" } },
    ]
  ) {
    await using connection = await outbound.connect({ port, ...target });
    expect(text((await connection.readable.getReader().read()).value!)).toBe("hello\n");
  }
  await expect(outbound.connect({ host: "other.example.com", port, tls: { ca } })).rejects.toThrow("ALTNAME_INVALID");
  await expect(outbound.connect({ host: "mail.example.com", port, tls: true })).rejects.toThrow("SELF_SIGNED_CERT");
});

test("STARTTLS secures a connection after its first lines", async () => {
  await using server = await listening(createServer((socket) => {
    socket.write("220 ready\r\n");
    socket.once("data", () => {
      socket.write("220 go\r\n", () => echo(new TLSSocket(socket, { isServer: true, ...certificate })));
    });
  }));
  await using plain = await outbound.connect({ host: "mail.example.com", port: server.port });
  const reader = plain.readable.getReader();
  expect(text((await reader.read()).value!)).toBe("220 ready\r\n");
  await plain.writable.getWriter().write(bytes("STARTTLS\r\n"));
  expect(text((await reader.read()).value!)).toBe("220 go\r\n");
  await using secured = await plain.startTls({ ca });
  const securedReader = secured.readable.getReader();
  expect(text((await securedReader.read()).value!)).toBe("hello\n");
  await secured.writable.getWriter().write(bytes("secret"));
  expect(text((await securedReader.read()).value!)).toBe("secret");
});

test("STARTTLS with a certificate of another name fails and closes the connection", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  await using server = await listening(createServer((socket) => {
    socket.on("close", () => resolve());
    new TLSSocket(socket, { isServer: true, ...certificate }).on("error", () => {});
  }));
  await using plain = await outbound.connect({ host: "other.example.com", port: server.port });
  await expect(plain.startTls({ ca })).rejects.toMatchObject({ kind: "unavailable" });
  await closed;
});

test("a connection ends when it receives more than maxBytes", async () => {
  await using server = await listening(createServer((socket) => void socket.write("x".repeat(101))));
  await using connection = await outbound.connect({ host: "127.0.0.1", port: server.port, maxBytes: 100 });
  await expect(new Response(connection.readable).text()).rejects.toThrow("127.0.0.1 sent more than 100 bytes");
});

test("a connection ends when its time is over, or its signal aborts, and the peer sees it close", async () => {
  const controller = new AbortController();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let isLast = false;
  // a busy machine may take the time already for the connection
  const readShort = async () => {
    await using short = await outbound.connect({ ...target, timeoutMilliseconds: 500 });
    await short.readable.getReader().read();
  };
  await using server = await listening(createServer((socket) => {
    socket.on("error", () => {}).on("close", () => isLast && resolve()).resume();
  }));
  const target = { host: "127.0.0.1", port: server.port };
  await expect(readShort()).rejects.toThrow("127.0.0.1 took longer than 0.5 s");
  isLast = true;
  await using aborted = await outbound.connect({ ...target, signal: controller.signal });
  const read = aborted.readable.getReader().read();
  controller.abort(new Error("stopped"));
  await expect(read).rejects.toThrow("stopped");
  await closed;
});

test("a peer that never speaks TLS ends with the time limit", async () => {
  await using server = await listening(createServer((socket) => void socket.resume()));
  const target = { host: "127.0.0.1", port: server.port, tls: true, timeoutMilliseconds: 100 };
  await expect(outbound.connect(target)).rejects.toThrow("took longer than 0.1 s");
});

test.each([
  ["127.0.0.2", "a loopback address"],
  ["::ffff:127.0.0.2", "a loopback address"],
  ["169.254.169.254", "a link-local address"],
  ["10.0.0.1", "a private address"],
])("connect refuses %s, also behind a name", async (address, kind) => {
  await expect(outbound.connect({ host: address, port: 9 })).rejects.toThrow(`has ${kind}`);
  const resolving = machineOutbound({ allow: ["127.0.0.1"] }, () => Promise.resolve([address]));
  await expect(resolving.connect({ host: "mail.example.com", port: 9 })).rejects.toMatchObject({
    kind: "invalid",
    message: `host: "mail.example.com" has ${kind}, which outbound.allow does not contain`,
  });
});

test.each([
  [{ host: "http://mail.example.com", port: 25 }, "host: must be a host name or an IP address"],
  [{ host: "0x7f.1", port: 25 }, "host: must be a host name or an IP address"],
  [{ host: "mail.example.com", port: 0 }, "port: must be 1 to 65535, got 0"],
  [{ host: "mail.example.com", port: 65_536 }, "port: must be 1 to 65535, got 65536"],
  [{ host: "mail.example.com", port: 25, timeoutMilliseconds: 3_600_001 }, "timeoutMilliseconds: must be a whole"],
])("connect refuses the target %j", async (target, message) => {
  await expect(outbound.connect(target)).rejects.toThrow(message);
});
