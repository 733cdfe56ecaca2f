import { expect, test } from "vitest";
import { as } from "edgehelm/testing";
import { probePlugin } from "../core/probe.ts";
import { post, startListener } from "./listener_rig.ts";

const LOOK = "/ProbeService/look";
const echo = probePlugin(() => ({ look: ({ text, number }) => ({ text, number }) }));

test("pipelined requests get their responses in order, from every handler", async () => {
  await using server = await startListener({ plugins: [echo] });
  const token = { "x-cloud-access-token": (await server.edgehelm.token(as.admin()))! };
  const requests = [
    post(LOOK, '{"text":"first"}', token),
    "GET /livez HTTP/1.1\r\nhost: edgehelm.test\r\n\r\n",
    post(`${LOOK}?query`, '{"text":"second"}', token),
    "GET http://edgehelm.test/readyz HTTP/1.1\r\nhost: edgehelm.test\r\n\r\n",
    post("/edgehelm.test.probe.ProbeService/look", '{"text":"third"}', {
      ...token,
      "content-type": "application/json",
    }),
    "HEAD /explorer HTTP/1.1\r\nhost: edgehelm.test\r\n\r\n",
    post("/ProbeService/lok", "{}", token),
    post(LOOK, '{"text":"schön"}', token).replace("content-length: 16", "content-length: 17"),
  ];
  const client = server.client().send(new TextEncoder().encode(requests.join("")));
  const text = await client.until(/sch\S+n"[^]*}$/);
  const expected = ["first", "ok\n", "second", "ok\n", "third", "text/html", "did you mean", "sch"];
  let at = 0;
  for (const part of expected) expect(at = text.indexOf(part, at) + 1, part).toBeGreaterThan(0);
  expect(text.match(/HTTP\/1.1 \d+/g)!.join()).toBe("HTTP/1.1 200,".repeat(6) + "HTTP/1.1 404,HTTP/1.1 200");
  // Small responses have a content-length, including those of the HTTP application.
  expect(text).not.toContain("chunked");
});

test("a request with an invalid URL or method is refused, and the connection stays open", async () => {
  await using server = await startListener({ plugins: [echo] });
  const client = server.client();
  for (const line of ["CONNECT edgehelm.test:443", "TRACE /", "OPTIONS *", "GET x", "GET http://:x/"]) {
    const before = client.received.length;
    client.send(`${line} HTTP/1.1\r\nhost: edgehelm.test\r\n\r\n`);
    await expect.poll(() => client.received.slice(before)).toMatch(/^HTTP\/1.1 400 [^]*kernel.malformed/);
  }
  await client.send(post(LOOK, "")).until("token_missing");
});

test("the messages of a stream are sent immediately, and the stream ends when the caller disconnects", async () => {
  const next = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const streaming = probePlugin(() => ({
    async *tell(_request, { signal }) {
      yield { text: "first" };
      await next.promise;
      yield { text: "second" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      ended.resolve(signal.reason);
    },
  }));
  await using server = await startListener({ plugins: [streaming] });
  const headers = {
    "content-type": "application/connect+json",
    "x-cloud-access-token": (await server.edgehelm.token(as.admin()))!,
  };
  const client = server.client().send(post("/edgehelm.test.probe.ProbeService/tell", "\0\0\0\0\x02{}", headers));
  expect(await client.until("first")).toMatch(/transfer-encoding: chunked\r\n/);
  next.resolve();
  await client.until("second");
  client.close();
  expect(await ended.promise).toMatchObject({ reason: "kernel.cancelled" });
});
