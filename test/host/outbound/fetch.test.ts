import { expect, test } from "vitest";
import { machineOutbound } from "../../../core/host/outbound/outbound.ts";
import { certificateFor, peer } from "./peers.ts";

const LOOPBACK = { allow: ["127.0.0.0/8", "::1"] };
const outbound = machineOutbound(LOOPBACK);
const toLoopback = machineOutbound(LOOPBACK, () => Promise.resolve(["127.0.0.1"]));

test("fetch sends method, headers and body, and returns a standard response", async () => {
  await using server = await peer((_request, response) => {
    response.writeHead(201, "Made", { "x-one": "1", "set-cookie": ["a=1", "b=2"] }).end('{"id":7}');
  });
  const response = await outbound.fetch(`${server.url}/things?a=b#part`, {
    method: "POST",
    headers: { "x-key": "k", host: "other.example.com", "content-length": "1", connection: "upgrade" },
    body: new URLSearchParams({ name: "Ada L" }),
  });
  expect([response.status, response.statusText, response.ok]).toEqual([201, "Made", true]);
  expect(response.url).toBe(`${server.url}/things?a=b#part`);
  expect([response.headers.get("x-one"), response.headers.getSetCookie()]).toEqual(["1", ["a=1", "b=2"]]);
  expect(await response.json()).toEqual({ id: 7 });
  const [{ method, path, headers, body }] = server.received as [typeof server.received[0]];
  expect([method, path, body]).toEqual(["POST", "/things?a=b", "name=Ada+L"]);
  expect(headers).toMatchObject({
    host: `127.0.0.1:${server.port}`,
    "x-key": "k",
    "content-length": "10",
    "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
    connection: "close",
  });
});

test.each([204, 304])("a response with status %i has no body", async (status) => {
  await using server = await peer((_request, response) => response.writeHead(status).end());
  const response = await outbound.fetch(server.url);
  expect([response.status, response.body]).toEqual([status, null]);
});

test("a HEAD request has a response without a body, whatever its length says", async () => {
  await using server = await peer((_request, response) =>
    response.writeHead(200, { "content-length": "9999999" }).end()
  );
  const response = await outbound.fetch(server.url, { method: "HEAD" });
  expect(await response.text()).toBe("");
});

test("HTTPS uses the name of the address as SNI and Host, and checks the certificate against it", async () => {
  const certificate = certificateFor("pay.example.com");
  await using server = await peer(undefined, { certificate });
  const ca = certificate.cert;
  const response = await toLoopback.fetch(`https://pay.example.com:${server.port}/`, { ca });
  expect((await toLoopback.fetch(`https://pay.example.com.:${server.port}/`, { ca })).status).toBe(200);
  expect(await response.text()).toBe("hello");
  expect(server.received).toMatchObject([
    { serverName: "pay.example.com", headers: { host: `pay.example.com:${server.port}` } },
    { serverName: "pay.example.com" },
  ]);
  await expect(toLoopback.fetch(`https://other.example.com:${server.port}/`, { ca })).rejects.toThrow(
    "the connection to other.example.com failed: ERR_TLS_CERT_ALTNAME_INVALID",
  );
  await expect(toLoopback.fetch(`https://pay.example.com:${server.port}/`)).rejects.toThrow("SELF_SIGNED_CERT");
  expect(await (await outbound.fetch(server.url, { ca })).text()).toBe("hello");
  expect(server.received).toHaveLength(3);
});

test("a body above maxBytes fails when the limit is passed, and at once if its length says so", async () => {
  await using server = await peer(({ url }, response) => {
    if (url === "/announced") response.writeHead(200, { "content-length": "101" });
    response.write("x".repeat(60));
    response.end("x".repeat(41));
  });
  await expect(outbound.fetch(`${server.url}/announced`, { maxBytes: 100 })).rejects.toThrow("more than 100 bytes");
  const chunked = await outbound.fetch(server.url, { maxBytes: 100 });
  await expect(chunked.text()).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringMatching(/more than 100 bytes/),
  });
  expect(await (await outbound.fetch(server.url, { maxBytes: 101 })).text()).toHaveLength(101);
});

test("an endless body ends at the default limit of 1 MiB, and the peer is disconnected", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  await using server = await peer((_request, response) => {
    response.on("close", resolve);
    const write = () => {
      while (!response.destroyed && response.write(new Uint8Array(65_536)));
    };
    response.on("drain", write);
    write();
  });
  const response = await outbound.fetch(server.url);
  await expect(response.arrayBuffer()).rejects.toThrow("more than 1048576 bytes");
  await closed;
});

test("the time limit covers a peer that does not respond and one that does not finish its body", async () => {
  await using silent = await peer(() => {});
  await expect(outbound.fetch(silent.url, { timeoutMilliseconds: 50 })).rejects.toMatchObject({
    kind: "unavailable",
    message: "127.0.0.1 took longer than 0.05 s",
  });
  await using slow = await peer((_request, response) => void response.write("a"));
  // a busy machine may take the time already for the head of the response
  const readSlow = async () => await (await outbound.fetch(slow.url, { timeoutMilliseconds: 500 })).text();
  await expect(readSlow()).rejects.toThrow("took longer than 0.5 s");
});

test("a signal ends a request with its reason", async () => {
  const controller = new AbortController();
  await using silent = await peer(() => controller.abort(new Error("stopped")));
  await expect(outbound.fetch(silent.url, { signal: controller.signal })).rejects.toThrow("stopped");
  await expect(outbound.fetch(silent.url, { signal: controller.signal })).rejects.toThrow("stopped");
  expect(silent.received).toHaveLength(1);
});

test("a response that ends before its length is an error", async () => {
  await using server = await peer((_request, response) => {
    response.writeHead(200, { "content-length": "10" });
    response.write("half", () => response.destroy());
  });
  const response = await outbound.fetch(server.url);
  await expect(response.text()).rejects.toMatchObject({ kind: "unavailable" });
});

test("a response that breaks off before it is read is an error of the read, and of nothing else", async () => {
  const { promise: breakOff, resolve } = Promise.withResolvers<() => void>();
  await using server = await peer(({ socket, url }, response) => {
    if (url === "/whole") return response.end();
    response.writeHead(200, { "content-length": "10" }).write("half");
    resolve(() => socket.resetAndDestroy());
  });
  const response = await outbound.fetch(server.url);
  (await breakOff)();
  // a round trip later, this side has seen it as well
  expect((await outbound.fetch(`${server.url}/whole`)).status).toBe(200);
  await expect(response.text()).rejects.toMatchObject({ kind: "unavailable" });
});

test("a peer that closes the connection, changes the protocol or sends endless headers is unavailable", async () => {
  await using server = await peer(({ url, socket }, response) => {
    if (url === "/close") return socket.destroy();
    if (url === "/upgrade") {
      return socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n");
    }
    for (let index = 0; index < 40; index++) response.setHeader(`x-${index}`, "x".repeat(1000));
    response.end();
  });
  for (const path of ["/close", "/upgrade", "/headers"]) {
    await expect(outbound.fetch(server.url + path), path).rejects.toMatchObject({ kind: "unavailable" });
  }
});

test("a closed port is unavailable, with the code of the system", async () => {
  const server = await peer();
  await server[Symbol.asyncDispose]();
  await expect(outbound.fetch(server.url)).rejects.toThrow("the connection to 127.0.0.1 failed: ECONNREFUSED");
});

test("the addresses of a name are tried in their order", async () => {
  await using server = await peer();
  const several = machineOutbound(LOOPBACK, () => Promise.resolve(["127.0.0.2", "::1", "127.0.0.1"]));
  expect((await several.fetch(`http://pay.example.com:${server.port}/`)).status).toBe(200);
  const none = machineOutbound(LOOPBACK, () => Promise.resolve([]));
  await expect(none.fetch("http://pay.example.com/")).rejects.toThrow("pay.example.com has no address");
});

test.each([
  ["timeoutMilliseconds", 0],
  ["timeoutMilliseconds", 600_001],
  ["maxBytes", -1],
  ["maxBytes", 2 ** 30 + 1],
  ["maxRedirects", 11],
  ["maxRedirects", 0.5],
])("the limit %s cannot be %d", async (name, value) => {
  await expect(outbound.fetch("http://127.0.0.1:9/", { [name]: value })).rejects.toThrow(RangeError);
});

test.each([
  "ftp://pay.example.com/",
  "file:///etc/passwd",
  "http://ada:secret@pay.example.com/",
  "pay.example.com",
  `http://pay.example.com/${"x".repeat(8192)}`,
])("the address %.40s is refused", async (url) => {
  await expect(toLoopback.fetch(url)).rejects.toMatchObject({
    kind: "invalid",
    message: expect.stringMatching(/^url: must be an http or https/),
  });
});
