import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { JobTimeout } from "../../../core/host/sqlite/job_timeout.ts";
import { Silence } from "../../../core/storage/remote/silence.ts";
import { RemoteWriteSession } from "../../../core/storage/remote/write_session.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SILENT = "the transaction was rolled back: its handler ran no statement for 1000 ms, while other writes waited";

/** Returns a function that tells how a promise has settled so far. */
function outcomeOf(promise: Promise<unknown>): () => string {
  let outcome = "pending";
  promise.then(() => outcome = "done", (error) => outcome = error.message);
  return () => outcome;
}

test("a job ends when it has run no statement for its idle time", async () => {
  const timeout = new JobTimeout({ jobTime: 5000, idleTime: 1000 });
  const outcome = outcomeOf(timeout.run(() => new Promise(() => {})));
  for (let count = 0; count < 3; count++) {
    await vi.advanceTimersByTimeAsync(900);
    timeout.active();
  }
  await vi.advanceTimersByTimeAsync(999);
  expect(outcome()).toBe("pending");
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome()).toBe(SILENT);
  const next = outcomeOf(timeout.run(() => new Promise(() => {})));
  await vi.advanceTimersByTimeAsync(1000);
  expect(next()).toBe(SILENT);
  timeout.end();
  expect(vi.getTimerCount()).toBe(0);
});

test("a job that keeps running statements ends at its job time", async () => {
  const timeout = new JobTimeout({ jobTime: 5000, idleTime: 1000 });
  const outcome = outcomeOf(timeout.run(() => new Promise(() => {})));
  for (let time = 0; time < 5000; time += 500) {
    expect(outcome()).toBe("pending");
    timeout.active();
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(outcome()).toBe("the write transaction took longer than its deadline allows");
  timeout.end();
});

test("a job is not silent while the process stands still", async () => {
  const timeout = new JobTimeout({ jobTime: 50_000, idleTime: 1000 });
  const outcome = outcomeOf(timeout.run(() => new Promise(() => {})));
  const now = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 3000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(outcome()).toBe("pending");
  now.mockRestore();
  timeout.end();
});

test("work on a libSQL server is silent only while none of its statements runs", async () => {
  const silence = new Silence(1000);
  const { promise: response, resolve } = Promise.withResolvers<void>();
  const outcome = outcomeOf(silence.race(async () => {
    await silence.during(response);
    await new Promise(() => {});
  }));
  await vi.advanceTimersByTimeAsync(3000);
  expect(outcome()).toBe("pending");
  resolve();
  await vi.advanceTimersByTimeAsync(999);
  expect(outcome()).toBe("pending");
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome()).toBe(SILENT);
  const other = outcomeOf(new Silence(1000).race(async () => {}));
  await vi.advanceTimersByTimeAsync(1000);
  expect(other()).toBe("done");
  expect(vi.getTimerCount()).toBe(0);
});

test("waiting for the reads ahead of a transaction on a libSQL server is not silence", async () => {
  const { promise: response, resolve } = Promise.withResolvers<void>();
  const transaction = { run: () => response.then(() => [{ columns: ["id"], rows: [[7n]], rowsAffected: 0 }]) };
  const guard = { check: () => ({ parameterCount: 0 }) };
  const silence = new Silence(1000);
  const session = new RemoteWriteSession(transaction as never, guard as never, silence);
  const outcome = outcomeOf(silence.race(async () => {
    const ahead = session.ahead({ sql: "select 7", scope: { owner: "kernel", tables: undefined } }, []);
    await session.flush();
    await ahead;
  }));
  await vi.advanceTimersByTimeAsync(3000);
  expect(outcome()).toBe("pending");
  resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(outcome()).toBe("done");
});
