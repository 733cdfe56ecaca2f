import type { Call } from "edgehelm";
import { defineEvent, type EmittedEvent, EventListeners, Events } from "edgehelm/runtime";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { type Kysely, sql } from "kysely";
import { onTestFinished } from "vitest";
import { createLogger } from "../../../core/base/log.ts";
import { database } from "../../../core/storage/database.ts";
import type { StorageEngine } from "../../../core/storage/engine.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";
import { type ProbeRequest, ProbeRequestSchema } from "../../fixtures/probe/proto/probe_pb.ts";
import { ErrorInfoSchema } from "../../../proto/google/rpc/error_details_pb.ts";
import { plugin } from "../kernel/rig.ts";

export const texts = { en: { subject: "{text}", body: "{number}" }, zh: { subject: "{text}", body: "{number}" } };
export const rang = defineEvent({ name: "bell.rang", level: "info", data: ProbeRequestSchema, about: "number", texts });
/** A kind whose data may be large. */
export const struck = defineEvent({
  name: "bell.struck",
  level: "info",
  data: ErrorInfoSchema,
  about: "reason",
  texts: { en: { subject: "{reason}", body: "" }, zh: { subject: "{reason}", body: "" } },
});

interface Heard {
  heard: { text: string };
}

interface BellOptions {
  readonly directory?: string;
  readonly engine?: StorageEngine;
  readonly listens?: boolean;
  readonly rings?: boolean;
}

/** An installation with a bell that rings and a listener that stores what it hears. */
export class Bell {
  readonly clock = new TestClock();
  readonly lines: string[] = [];
  events!: Events;
  #heard!: (call: Call) => Promise<readonly { text: string }[]>;
  /** Fails the listener after its statement, if it throws. */
  afterHeard: (event: EmittedEvent, call: Call) => unknown = () => {};
  kernel!: TestKernel;

  /** Starts with the plugin that rings and the one that listens, or without one of them. */
  async start(options: BellOptions = {}): Promise<this> {
    const { directory, engine, listens = true, rings = true } = options;
    const bell = plugin("bell", {
      requires: { events: Events },
      events: [rang, struck],
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
            await this.afterHeard(event, call);
          },
        });
      },
    });
    const log = createLogger({ clock: this.clock, write: (line) => void this.lines.push(line), level: "warn" });
    this.kernel = await testKernel({
      plugins: [...rings ? [bell] : [], ...listens ? [ear] : []],
      clock: this.clock,
      log,
      ...directory !== undefined && { directory },
      ...engine !== undefined && { engine },
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

  /** Stores an event as another release may have emitted it. */
  async store(name: string, dataJSON: string): Promise<void> {
    const db = database<KernelTables>(KERNEL_SCOPE);
    const createdAt = BigInt(Math.floor(this.clock.now() / 1000));
    await this.kernel.kernel.systemCall("test").transact(async (call) => {
      await db(call).insertInto("kernel_events").values({ createdAt, name, userId: 0n, dataJSON }).execute();
    });
  }

  /** Delivers whenever a listener that fails gets its event again, until it is skipped. */
  async deliverUntilSkipped(): Promise<void> {
    await this.deliver();
    for (let seconds = 1; seconds <= 512; seconds *= 2) {
      this.clock.advance(seconds);
      await this.deliver();
    }
  }

  logged(text: string): readonly string[] {
    return this.lines.filter((line) => line.includes(text));
  }

  deliver(): Promise<void> {
    return this.kernel.kernel.runJob("kernel.deliver_events");
  }

  async heard(): Promise<readonly string[]> {
    return (await this.#heard(this.kernel.kernel.systemCall("test"))).map(({ text }) => text);
  }
}
