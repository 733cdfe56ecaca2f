import { expect, test, vi } from "vitest";
import { type Release, Semaphore } from "../../../core/base/semaphore.ts";

const later = () => Date.now() + 60_000;

test("permits are issued in the order of the requests, urgent ones first", async () => {
  const semaphore = new Semaphore(1, "a test");
  const served: string[] = [];
  let release = await semaphore.acquire(later());
  const requests = ["a", "b", "urgent", "c"].map((name) =>
    semaphore.acquire(later(), name === "urgent").then((next) => {
      served.push(name);
      release = next;
    })
  );
  expect(semaphore.waiting).toBe(4);
  for (let count = 1; count <= requests.length; count++) {
    release();
    await expect.poll(() => served.length).toBe(count);
  }
  expect(served).toEqual(["urgent", "a", "b", "c"]);
});

test("a second release does nothing", async () => {
  const semaphore = new Semaphore(1, "a test");
  const release = await semaphore.acquire(later());
  release();
  release();
  await semaphore.acquire(later());
  await expect(semaphore.acquire(Date.now() + 20)).rejects.toMatchObject({ kind: "deadline" });
});

test("a waiter whose deadline passes gets an error that names the resource, and no permit", async () => {
  const semaphore = new Semaphore(1, "the printer");
  const release = await semaphore.acquire(later());
  await expect(semaphore.acquire(Date.now() + 20)).rejects.toMatchObject({
    kind: "deadline",
    message: expect.stringContaining("waiting for the printer"),
  });
  expect(semaphore.waiting).toBe(0);
  release();
  await semaphore.acquire(later());
});

test("permits that were never released are reclaimed after the deadline of their holder", async () => {
  vi.useFakeTimers();
  try {
    const semaphore = new Semaphore(2, "a test");
    const lost: Release[] = [await semaphore.acquire(Date.now() + 100), await semaphore.acquire(Date.now() + 100)];
    vi.setSystemTime(Date.now() + 5000);
    const [first, second] = [await semaphore.acquire(later()), await semaphore.acquire(later())];
    for (const release of lost) release();
    const third = semaphore.acquire(later());
    expect(semaphore.waiting).toBe(1);
    first();
    await third;
    second();
  } finally {
    vi.useRealTimers();
  }
});
