import type { Call } from "edgehelm";
import { defineEvent, type EmittedEvent, EventListeners, Events } from "edgehelm/runtime";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { create } from "@bufbuild/protobuf";
import { type Kysely, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { kernelErrors } from "../../../core/base/errors.ts";
import { createLogger } from "../../../core/base/log.ts";
import { type ProbeRequest, ProbeRequestSchema } from "../../fixtures/probe/proto/probe_pb.ts";
import { plugin } from "../kernel/rig.ts";

const texts = { en: { subject: "{text}", body: "{number}" }, zh: { subject: "{text}", body: "{number}" } };
const rang = defineEvent({ name: "bell.rang", level: "info", data: ProbeRequestSchema, about: "number", texts });
const undeclared = { ...rang, name: "bell.fell" };

interface Heard {
  heard: { text: string };
}

/** An installation with a bell that rings and a listener that stores what it hears. */
class Bell {
  readonly clock = new TestClock();
  readonly lines: string[] = [];
  events!: Events;
  #heard!: (call: Call) => Promise<readonly { text: string }[]>;
  /** Fails the listener after its statement, if it throws. */
  afterHeard: (event: EmittedEvent) => void = () => {};
  kernel!: TestKernel;

  async start(options: { readonly directory?: string; readonly listens?: boolean } = {}): Promise<this> {
    const { directory, listens = true } = options;
    const bell = plugin("bell", {
      requires: { events: Events },
      events: [rang],
      setup: ({ deps }) => void (this.events = (deps as unknown as { events: Events }).events),
    });
    const ear = plugin("ear", {
      more: { tables: ["heard"], contributes: ["kernel.event_listeners"] },
      migrations: {
        "0001_create_heard": {
          up: async (db: Kysely<never>) => void await sql`create table heard (text text not null) strict`.execute(db),
        },
      },
      setup: ({ db, contribute }) => {
        const tables = db<Heard>();
        const insert = tables.query((q, p: { text: string }) => q.insertInto("heard").values({ text: p.text }));
        const all = tables.query((q) => q.selectFrom("heard").select("text").limit(1000));
        this.#heard = (call) => all.all(call, {});
        contribute(EventListeners, {
          name: "ear",
          handle: async (call, event) => {
            await insert.run(call, { text: (event.data as ProbeRequest).text });
            this.afterHeard(event);
          },
        });
      },
    });
    const log = createLogger({ clock: this.clock, write: (line) => void this.lines.push(line), level: "warn" });
    this.kernel = await testKernel({
      plugins: listens ? [bell, ear] : [bell],
      clock: this.clock,
      log,
      ...directory !== undefined && { directory },
    });
    onTestFinished(() => this.kernel[Symbol.asyncDispose]());
    return this;
  }

  /** Emits in one transaction. */
  async ring(...rings: readonly string[]): Promise<void> {
    await this.kernel.kernel.systemCall("test").transact(async (call) => {
      for (const text of rings) await this.events.emit(call, rang, { text }, 7n);
    });
  }

  deliver(): Promise<void> {
    return this.kernel.kernel.runJob("kernel.deliver_events");
  }

  async heard(): Promise<readonly string[]> {
    return (await this.#heard(this.kernel.kernel.systemCall("test"))).map(({ text }) => text);
  }
}

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

test("an event is not skipped because the database is away", async () => {
  const bell = await new Bell().start();
  let attempts = 0;
  bell.afterHeard = () => {
    if (++attempts <= 20) throw kernelErrors.unavailable("the database is busy");
  };
  await bell.ring("late");
  await expect.poll(async () => {
    await bell.deliver();
    return await bell.heard();
  }).toEqual(["late"]);
  expect(attempts).toBe(21);
  expect(bell.lines.filter((line) => line.includes("event not handled"))).toEqual([]);
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

test("only declared events are emitted, and only in a transaction", async () => {
  const bell = await new Bell().start();
  const call = bell.kernel.kernel.systemCall("test");
  await expect(bell.events.emit(call, rang, {})).rejects.toThrow('event "bell.rang" emitted outside a transaction');
  await expect(call.transact((inner) => bell.events.emit(inner, undeclared, {})))
    .rejects.toThrow('event "bell.fell" is not declared in "events" of a plugin');
});

test("a plugin whose events are declared wrongly does not start", async () => {
  const wrong = [
    { ...rang, name: "clock.struck" },
    { ...rang, about: "hour" },
    { ...rang, texts: { ...texts, zh: { subject: "{texts}", body: "" } } },
  ];
  const start = testKernel({ plugins: [plugin("bell", { events: wrong as never })] });
  await expect(start).rejects.toMatchObject({
    errors: [
      'plugin "bell": event "clock.struck": its name must be "bell." and snake_case',
      'plugin "bell": event "bell.rang": about: ProbeRequest has no field "hour"',
      'plugin "bell": event "bell.rang": texts.zh: ProbeRequest has no field "texts"',
      'plugin "bell": event "bell.rang" is declared twice',
    ],
  });
});
