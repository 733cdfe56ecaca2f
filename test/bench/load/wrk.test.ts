import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { isInstalled } from "./programs.ts";
import { runWrk } from "./wrk.ts";

const bodies: string[] = [];
const paths: string[] = [];
const server = createServer((request, response) => {
  paths.push(request.url!);
  let body = "";
  request.on("data", (chunk) => body += chunk);
  request.on("end", () => {
    bodies.push(body);
    response.writeHead(request.headers["x-fail"] === undefined ? 200 : 500).end(`{"got":${body}}`);
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const load = { port: (server.address() as AddressInfo).port, connections: 2, seconds: 1 };

afterEach(() => {
  bodies.length = paths.length = 0;
});

test.skipIf(!isInstalled("wrk"))("wrk fills in random, serial and unique values", async () => {
  const body = '{"random":<random 5 9>,"step":<random 10 30 10>,"serial":<serial 100>,"name":"<unique>"}';
  const { calls } = await runWrk(load, { path: "/find/<random 1 3>", body, expected: '"got":{' });
  const requests = bodies.map((text) => JSON.parse(text));
  expect(calls).toBeGreaterThan(0);
  expect(requests.length).toBeGreaterThanOrEqual(calls);
  expect(new Set(requests.map(({ name }) => name)).size).toBe(requests.length);
  expect(new Set(requests.map(({ serial }) => serial)).size).toBe(requests.length);
  expect(Math.min(...requests.map(({ serial }) => serial))).toBe(100);
  for (const { random, step } of requests) {
    expect([5, 6, 7, 8, 9]).toContain(random);
    expect([10, 20, 30]).toContain(step);
  }
  for (const path of paths) expect(path).toMatch(/^\/find\/[123]$/);
});

test.skipIf(!isInstalled("wrk"))("a wrong status and a wrong body fail the load", async () => {
  const call = { path: "/", body: "{}", expected: '"got":{}' };
  await expect(runWrk(load, { ...call, expected: "else" })).rejects.toThrow(/\d+ of \d+ responses are wrong.*200/s);
  await expect(runWrk(load, { ...call, headers: { "x-fail": "1" } })).rejects.toThrow(/responses are wrong.*500/s);
});
