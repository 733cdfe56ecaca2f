import { expect, test } from "vitest";
import { callBesideIdle } from "./idle.ts";

const OPTIONS = { seed: 1, rounds: 1, progress() {} };

test("calls over every wire succeed beside idle connections, which stay open", async () => {
  const { figures, broken } = await callBesideIdle(OPTIONS, { connections: 400, files: 1024, calls: 20 });
  expect(broken).toEqual([]);
  expect(figures["idleConnections"]).toBe(400);
});

test("connections beyond the files of the process are refused, and calls succeed", async () => {
  const { figures, broken } = await callBesideIdle(OPTIONS, { connections: 400, files: 256, calls: 20 });
  expect(broken).toEqual([]);
  expect(figures["idleConnections"]).toBeGreaterThan(0);
  expect(figures["idleConnections"]).toBeLessThan(256);
});
