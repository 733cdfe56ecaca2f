import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { as } from "edgehelm/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { probePlugin } from "../core/probe.ts";
import { makeCertificate } from "../servers/certificate.ts";
import { post, startListener } from "./listener_rig.ts";
import { head } from "./raw_client.ts";

const LOOK = "/ProbeService/look";
const MIB = 2 ** 20;

const echo = probePlugin(() => ({ look: ({ text, number }) => ({ text: text.slice(0, 20), number }) }));

describe("connections", () => {
  test("beyond the limit per address are refused, those of other addresses are not", async () => {
    await using server = await startListener({ plugins: [echo], limits: { httpConnectionsPerAddress: 2 } });
    const first = server.client().send(post(LOOK, ""));
    const second = server.client().send(post(LOOK, ""));
    await Promise.all([first.until("token_missing"), second.until("token_missing")]);
    const refused = server.client();
    expect(await refused.closed).toMatch(/^HTTP\/1.1 429 [^]*retry-after: 1[^]*"reason":"kernel.too_many_connections"/);
    await server.client("127.0.0.2").send(post(LOOK, "")).until("token_missing");
    first.close();
    await first.closed;
    await expect.poll(() => server.client().send(post(LOOK, "")).until("token_missing").then(() => true, () => false))
      .toBe(true);
  });

  test("behind a proxy are limited in total only", async () => {
    const limits = { httpConnectionsPerAddress: 1, httpConnections: 3 };
    await using server = await startListener({ plugins: [echo], limits }, undefined, true);
    for (let opened = 0; opened < 3; opened++) await server.client().send(post(LOOK, "")).until("token_missing");
    expect(await server.client().closed).toMatch(/^HTTP\/1.1 503 /);
  });

  test("beyond the total limit are refused", async () => {
    await using server = await startListener({ plugins: [echo], limits: { httpConnections: 2 } });
    for (const from of ["127.0.0.1", "127.0.0.2"]) {
      await server.client(from).send(post(LOOK, "")).until("token_missing");
    }
    expect(await server.client("127.0.0.3").closed).toMatch(/^HTTP\/1.1 503 /);
  });

  test("over TLS count towards the limit", async () => {
    const directory = await mkdtemp(join(tmpdir(), "edgehelm-tls-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const limits = { httpConnectionsPerAddress: 1 };
    await using server = await startListener({ plugins: [echo], limits }, makeCertificate(directory));
    const dial = () =>
      connect({ port: Number(new URL(server.url).port), host: "127.0.0.1", rejectUnauthorized: false });
    const first = dial();
    await once(first, "secureConnect");
    const second = dial();
    await expect(once(second, "secureConnect")).rejects.toThrow();
    first.write(post(LOOK, ""));
    expect(String((await once(first, "data"))[0])).toMatch(/^HTTP\/1.1 200 /);
    first.destroy();
    second.destroy();
  });

  test("with too large or too many headers get an error", async () => {
    await using server = await startListener({ plugins: [echo], limits: { headerBytes: 2048, headerCount: 20 } });
    const large = server.client().send(post(LOOK, "", { "x-large": "x".repeat(4096) }));
    expect(await large.closed).toMatch(/^HTTP\/1.1 431 [^]*headers are larger/);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x-${index}`, "1"]));
    expect(await server.client().send(post(LOOK, "", many)).until("}")).toMatch(/^HTTP\/1.1 431 [^]*more headers/);
  });
});

describe("a slow client", () => {
  test("that sends too slowly gets an error and is closed", async () => {
    await using server = await startListener({ plugins: [echo], limits: { headerSeconds: 1, bodySeconds: 2 } });
    const token = (await server.edgehelm.token(as.admin()))!;
    const silent = server.client();
    const headers = server.client().send("POST / HTTP/1.1\r\nhost: x\r\nx: ").trickle("x", 100);
    const body = server.client()
      .send(head(LOOK, { "content-length": 1000, "x-cloud-access-token": token })).trickle("x", 100);
    for (const { closed } of [silent, headers, body]) {
      expect(await closed).toMatch(/^HTTP\/1.1 408 [^]*kernel.too_slow/);
    }
  });

  test("that keeps sending after an error response is closed", async () => {
    await using server = await startListener({ plugins: [echo], limits: { headerSeconds: 1, bodySeconds: 2 } });
    const client = server.client().send(head(LOOK, { "content-length": 1000 }));
    await client.until("kernel.token_missing");
    expect(await client.trickle("x", 100).closed).toContain("kernel.token_missing");
  });

  test("that reads too slowly is closed", async () => {
    await using server = await startListener({
      plugins: [echo],
      limits: { responseSeconds: 1, responseBytesPerSecond: 2 ** 30 },
    });
    const client = server.client();
    client.socket.pause();
    const page = "GET /explorer HTTP/1.1\r\nhost: edgehelm.test\r\n\r\n";
    const { length } = await (await fetch(`${server.url}/explorer`)).text();
    // More than the socket buffers hold.
    client.send(page.repeat(Math.ceil(48 * MIB / length)));
    // A client that does not read notices the close when it sends.
    await client.trickle("\r\n", 100).closed;
  });
});

describe("a body", () => {
  const limits = { httpBodyBytes: MIB, anonymousBodyBytes: 2048 };

  test("that is far too large is refused while it arrives, and the client gets the error", async () => {
    await using server = await startListener({ plugins: [echo], limits });
    const token = (await server.edgehelm.token(as.admin()))!;
    const chunk = "x".repeat(MIB);
    for (const framing of [{ "content-length": 50 * MIB }, { "transfer-encoding": "chunked" }]) {
      const client = server.client().send(head(LOOK, { ...framing, "x-cloud-access-token": token }));
      const isChunked = "transfer-encoding" in framing;
      for (let sent = 0; sent < 50; sent++) client.send(isChunked ? `100000\r\n${chunk}\r\n` : chunk);
      if (isChunked) client.send("0\r\n\r\n");
      expect(await client.until("too_large")).toMatch(/^HTTP\/1.1 413 /);
      // The server has read the whole body, so the connection stays usable.
      await client.send(post("/ProbeService/nothing", "")).until(/HTTP\/1.1 404 /);
    }
  });

  test("that the client announces with Expect is not requested if it is too large", async () => {
    await using server = await startListener({ plugins: [echo], limits });
    const token = (await server.edgehelm.token(as.admin()))!;
    const headers = { "x-cloud-access-token": token, expect: "100-continue" };
    const large = server.client().send(head(LOOK, { "content-length": 50 * MIB, ...headers }));
    expect(await large.until("too_large")).toMatch(/^HTTP\/1.1 413 /);
    const small = server.client().send(head(LOOK, { "content-length": 12, ...headers }));
    await small.until("HTTP/1.1 100 Continue");
    await small.send('{"text":"a"}').until('"message":"ok"');
  });

  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
  ])("in %s is read", async (encoding, compress) => {
    await using server = await startListener({ plugins: [echo], limits });
    const headers = {
      "x-cloud-access-token": (await server.edgehelm.token(as.admin()))!,
      "content-encoding": encoding,
    };
    const send = async (body: Uint8Array<ArrayBuffer>) =>
      await (await fetch(server.url + LOOK, { method: "POST", headers, body })).json();
    expect(await send(compress('{"text":"packed"}'))).toMatchObject({ code: 200, data: { text: "packed" } });
    expect(await send(compress("x".repeat(8 * MIB)))).toMatchObject({ code: 413, reason: "kernel.too_large" });
    expect(await send(new Uint8Array([1, 2, 3, 4]))).toMatchObject({
      code: 400,
      message: expect.stringContaining(encoding.slice(2)),
    });
  });

  test("in another encoding is unsupported", async () => {
    await using server = await startListener({ plugins: [echo], limits });
    const headers = { "x-cloud-access-token": (await server.edgehelm.token(as.admin()))!, "content-encoding": "zstd" };
    const response = await fetch(server.url + LOOK, { method: "POST", headers, body: "{}" });
    expect([response.status, await response.json()]).toMatchObject([415, { code: 415, reason: "kernel.unsupported" }]);
  });
});

describe("a caller that disconnects", () => {
  test("cancels the call", async () => {
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const waiting = probePlugin(() => ({
      async reach(_request, { signal }) {
        started.resolve();
        await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
          .catch(ended.resolve);
        return {};
      },
    }));
    await using server = await startListener({ plugins: [waiting] });
    const token = (await server.edgehelm.token(as.admin()))!;
    const client = server.client().send(post("/ProbeService/reach", "{}", { "x-cloud-access-token": token }));
    await started.promise;
    client.close();
    expect(await ended.promise).toMatchObject({ reason: "kernel.cancelled" });
    expect(await server.edgehelm.kernel.dispatch.drain(5000)).toBe(true);
  });
});
