import { expect, test } from "vitest";
import { machineOutbound } from "../../../core/host/outbound/outbound.ts";
import { certificateFor, peer } from "./peers.ts";

const outbound = machineOutbound({ allow: ["127.0.0.1"] }, () => Promise.resolve(["127.0.0.1"]));
const SECRETS = { authorization: "Bearer s", cookie: "s=1", "x-api-key": "s", accept: "text/plain" };

/** Starts a peer that redirects every path but `/end` to a location. */
function redirecting(status: number, location: string) {
  return peer(({ url }, response) => {
    if (url === "/end") response.end("end");
    else response.writeHead(status, { location }).end();
  });
}

test("a redirect is followed, with all headers on the same origin", async () => {
  await using server = await redirecting(302, "/end");
  const response = await outbound.fetch(`${server.url}/start`, { headers: SECRETS });
  expect([await response.text(), response.url]).toEqual(["end", `${server.url}/end`]);
  expect(server.received.map(({ path, headers }) => [path, headers.authorization, headers["x-api-key"]])).toEqual([
    ["/start", "Bearer s", "s"],
    ["/end", "Bearer s", "s"],
  ]);
});

test("another origin gets none of the secrets of a request: another port and another name are other origins", async () => {
  await using target = await peer();
  for (const location of [`${target.url}/end`, `http://other.example.com:${target.port}/end`]) {
    await using server = await redirecting(302, location);
    await (await outbound.fetch(server.url, { headers: SECRETS })).text();
    const { authorization, cookie, accept, "x-api-key": key } = target.received.at(-1)!.headers;
    expect([authorization, cookie, key, accept]).toEqual([undefined, undefined, undefined, "text/plain"]);
  }
});

test.each([307, 308])("a %i of a request with a body is an error, and its target receives nothing", async (status) => {
  await using target = await peer();
  await using server = await redirecting(status, `${target.url}/end`);
  const attempt = outbound.fetch(server.url, { method: "POST", body: "secret" });
  await expect(attempt).rejects.toMatchObject({
    kind: "unavailable",
    message:
      `127.0.0.1:${server.port} redirects with status ${status}, which would send the body of the request elsewhere`,
  });
  expect(target.received).toEqual([]);
});

test.each([301, 302])("a %i of a PUT with a body is an error", async (status) => {
  await using server = await redirecting(status, "/end");
  await expect(outbound.fetch(server.url, { method: "PUT", body: "x" })).rejects.toThrow("would send the body");
});

test.each([
  [301, "POST", "GET"],
  [302, "POST", "GET"],
  [303, "POST", "GET"],
  [303, "PUT", "GET"],
  [307, "GET", "GET"],
  [308, "DELETE", "DELETE"],
])("a %i of a %s becomes a %s without a body", async (status, method, expected) => {
  await using server = await redirecting(status, "/end");
  const withBody = method === "POST" || method === "PUT" ? { body: "secret" } : {};
  await (await outbound.fetch(server.url, { method, ...withBody })).text();
  expect(server.received.at(-1)).toMatchObject({ path: "/end", method: expected, body: "" });
  expect(server.received.at(-1)!.headers["content-type"]).toBeUndefined();
});

test("a redirect to an internal address, an unlisted host or another scheme is not followed", async () => {
  await using internal = await peer(undefined, { address: "127.0.0.2" });
  const hosts = ["start.example.com", "127.0.0.2"];
  const listed = machineOutbound({ allow: ["127.0.0.1"], hosts }, () => Promise.resolve(["127.0.0.1"]));
  for (
    const [location, message] of [
      [`${internal.url}/`, "a loopback address"],
      [`http://other.example.com:${internal.port}/`, "is not in outbound.hosts"],
      ["file:///etc/passwd", "must be an http or https address"],
      ["http://", "redirects with an invalid address"],
    ] as const
  ) {
    await using server = await redirecting(302, location);
    await expect(listed.fetch(`http://start.example.com:${server.port}/`), location).rejects.toThrow(message);
  }
  expect(internal.received).toEqual([]);
});

test("a redirect from https to http is not followed", async () => {
  const certificate = certificateFor("pay.example.com");
  await using target = await peer();
  await using server = await peer((_request, response) => response.writeHead(302, { location: target.url }).end(), {
    certificate,
  });
  await expect(outbound.fetch(server.url, { ca: certificate.cert })).rejects.toThrow("to an address without TLS");
  expect(target.received).toEqual([]);
});

test("the number of redirects is limited", async () => {
  await using server = await redirecting(302, "/again");
  await expect(outbound.fetch(server.url)).rejects.toThrow("redirects more than 5 times");
  expect(server.received).toHaveLength(6);
  await expect(outbound.fetch(server.url, { maxRedirects: 0 })).rejects.toThrow("redirects more than 0 times");
  expect(server.received).toHaveLength(7);
});

test("redirects can be returned or refused", async () => {
  await using server = await redirecting(302, "http://169.254.169.254/");
  const response = await outbound.fetch(server.url, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([302, "http://169.254.169.254/"]);
  await expect(outbound.fetch(server.url, { redirect: "error" })).rejects.toThrow("redirects, which is not allowed");
  expect(server.received).toHaveLength(2);
});
