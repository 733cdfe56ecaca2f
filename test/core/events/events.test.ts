import type { EmittedEvent } from "edgehelm/runtime";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { type ProbeRequest, ProbeRequestSchema } from "../../fixtures/probe/proto/probe_pb.ts";
import { Bell, rang } from "./bell.ts";

test("listeners get what was committed, in its order, with its data, without waiting for the job", async () => {
  const bell = await new Bell().start();
  const events: EmittedEvent[] = [];
  bell.afterHeard = (event) => void events.push(event);
  await bell.ring("one", "two");
  await bell.ring("three");
  await expect.poll(() => bell.heard()).toEqual(["one", "two", "three"]);
  expect(events[2]).toMatchObject({ kind: rang, userId: 7n, createdAt: BigInt(Math.floor(bell.clock.now() / 1000)) });
  expect(events[2]!.data).toEqual(create(ProbeRequestSchema, { text: "three" }));
});

test("what was rolled back is not delivered", async () => {
  const bell = await new Bell().start();
  const rolledBack = bell.kernel.kernel.systemCall("test").transact(async (call) => {
    await bell.events.emit(call, rang, { text: "never" });
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  await bell.ring("always");
  await bell.deliver();
  expect(await bell.heard()).toEqual(["always"]);
});

test("a listener that fails gets the event again, and its statements take effect once", async () => {
  const bell = await new Bell().start();
  let failures = 3;
  bell.afterHeard = ({ data }) => {
    if ((data as ProbeRequest).text === "two" && failures-- > 0) throw new Error("not now");
  };
  await bell.ring("one", "two", "three");
  await bell.deliver();
  await expect.poll(async () => {
    bell.clock.advance(1);
    await bell.deliver();
    return await bell.heard();
  }).toEqual(["one", "two", "three"]);
});

test("an event that a listener can never handle is skipped after eleven attempts, each after twice the time", async () => {
  const bell = await new Bell().start();
  let attempts = 0;
  bell.afterHeard = ({ data }) => {
    if ((data as ProbeRequest).text !== "bad") return;
    attempts++;
    throw new Error("never");
  };
  await bell.ring("bad", "good");
  await expect.poll(() => attempts).toBe(2);
  for (let seconds = 1; seconds <= 256; seconds *= 2) {
    const before = attempts;
    bell.clock.advance(seconds - 1);
    await bell.deliver();
    expect(attempts).toBe(before);
    bell.clock.advance(1);
    await bell.deliver();
    expect(attempts).toBe(before + 1);
  }
  expect(attempts).toBe(11);
  await bell.deliver();
  expect(await bell.heard()).toEqual(["good"]);
  expect(bell.lines.filter((line) => line.includes("event skipped"))).toEqual([
    expect.stringContaining('"event":"bell.rang"'),
  ]);
});

test("a new listener gets the events of the last hour", async () => {
  const silent = await new Bell().start({ listens: false });
  await silent.ring("old");
  silent.clock.advance(3601);
  await silent.ring("new");
  const { directory } = silent.kernel;
  // stops without removing the directory
  await silent.kernel.kernel.stop(10_000);
  const bell = new Bell();
  bell.clock.advance(3602);
  await bell.start({ directory });
  await bell.deliver();
  expect(await bell.heard()).toEqual(["new"]);
});

test("events are deleted after thirty days", async () => {
  const bell = await new Bell().start({ listens: false });
  await bell.ring("old");
  bell.clock.advance(30 * 86_400 + 1);
  await bell.ring("new");
  await bell.kernel.kernel.runJob("kernel.prune");
  const { DatabaseSync } = await import("node:sqlite");
  using database = new DatabaseSync(`${bell.kernel.directory}/edgehelm.db`, { readOnly: true });
  expect(database.prepare("select dataJSON from kernel_events").all()).toEqual([{ dataJSON: '{"text":"new"}' }]);
});
