import { expect, test } from "vitest";
import { edgeOutbound } from "../../core/edge/outbound.ts";
import { peer } from "../host/outbound/peers.ts";

test("workers reach no host that is not listed", async () => {
  await using server = await peer();
  for (
    const outbound of [edgeOutbound(undefined), edgeOutbound({ hosts: ["pay.example.com"], allow: ["127.0.0.1"] })]
  ) {
    await expect(outbound.fetch(server.url)).rejects.toMatchObject({
      kind: "invalid",
      message: 'url: "127.0.0.1" is not in outbound.hosts',
    });
  }
  expect(server.received).toEqual([]);
});

test("workers reach a listed host, within the limits", async () => {
  await using server = await peer((_request, response) => response.end("x".repeat(101)));
  const outbound = edgeOutbound({ hosts: ["127.0.0.1"] });
  const response = await outbound.fetch(server.url, { method: "POST", body: "hello", headers: { "x-key": "k" } });
  expect(await response.text()).toHaveLength(101);
  expect(server.received).toMatchObject([{ method: "POST", body: "hello", headers: { "x-key": "k" } }]);
  const limited = async () => await (await outbound.fetch(server.url, { maxBytes: 100 })).text();
  await expect(limited()).rejects.toThrow("more than 100 bytes");
  await using silent = await peer(() => {});
  await expect(outbound.fetch(silent.url, { timeoutMilliseconds: 50 })).rejects.toThrow("took longer than 0.05 s");
});

test("workers follow redirects to listed hosts only, and never with a body", async () => {
  await using target = await peer();
  await using server = await peer(({ url }, response) => {
    const host = url === "/listed" ? "127.0.0.1" : "localhost";
    response.writeHead(url === "/body" ? 307 : 302, { location: `http://${host}:${target.port}/` }).end();
  });
  const outbound = edgeOutbound({ hosts: ["127.0.0.1"] });
  const headers = { authorization: "Bearer s" };
  expect(await (await outbound.fetch(`${server.url}/listed`, { headers })).text()).toBe("hello");
  expect(target.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  await expect(outbound.fetch(`${server.url}/other`)).rejects.toThrow('"localhost" is not in outbound.hosts');
  await expect(outbound.fetch(`${server.url}/body`, { method: "POST", body: "x" })).rejects.toThrow(
    "would send the body",
  );
  expect(target.received).toHaveLength(1);
});

test("workers have no connections and no authorities of their own", async () => {
  const outbound = edgeOutbound({ hosts: ["mail.example.com"] });
  await expect(outbound.connect({ host: "mail.example.com", port: 25 })).rejects.toMatchObject({ kind: "unavailable" });
  await expect(outbound.fetch("https://mail.example.com/", { ca: "" })).rejects.toMatchObject({ kind: "unavailable" });
});

test("an invalid host stops the start", () => {
  expect(() => edgeOutbound({ hosts: ["a b"] })).toThrow("outbound.hosts[0]: must be a host");
});
