import { type Call, type Db, invalid } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { LocalEngine } from "../../../core/host/sqlite/engine.ts";
import { createLogger } from "../../../core/base/log.ts";
import { systemClock } from "../../../core/base/clock.ts";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { insertProbe, type ProbeHandlers, probePlugin, probes, type Tables } from "../probe.ts";

const { look, change, reach } = ProbeService.method;
const ada = as.user(7n);
const INTERNAL = { code: 500, reason: "kernel.internal", message: "internal error" };

/** Returns the number of commits of a local database. A remote one has no group commit, so it returns 0. */
function commitsOf({ engine }: TestKernel): number {
  return engine instanceof LocalEngine ? engine.writer.commits : 0;
}

/** Starts a kernel with the probe plugin and the handlers of a test. */
async function withProbe(createHandlers: (db: Db<Tables>) => ProbeHandlers, lines: string[] = []) {
  let tables: Db<Tables>;
  const plugin = probePlugin((db) => {
    tables = db;
    return createHandlers(db);
  });
  const log = createLogger({ level: "error", write: (line) => lines.push(line), clock: systemClock });
  const edgehelm: TestKernel = await testKernel({ plugins: [plugin], log });
  return {
    edgehelm,
    written: () => probes(tables, edgehelm.kernel.systemCall("test")),
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

describe("a READ operation", () => {
  test("cannot write, by query builder, raw SQL or transact", async () => {
    const ways = [
      (db: Db<Tables>, call: Call) => insertProbe(db, call, "x"),
      (db: Db<Tables>, call: Call) => sql`insert into probes values ('x')`.execute(db(call)),
      (db: Db<Tables>, call: Call) => call.transact((inner) => insertProbe(db, inner, "x")),
    ];
    await using probe = await withProbe((db) => ({
      async look({ number }, call) {
        await ways[Number(number)]!(db, call);
        return {};
      },
    }));
    for (const number of ways.keys()) {
      await expect(probe.edgehelm.call(ada, look, { number: BigInt(number) })).rejects.toMatchObject(INTERNAL);
    }
    expect(await probe.written()).toEqual([]);
  });
});

describe("a WRITE operation", () => {
  test("commits everything it wrote, or nothing", async () => {
    await using probe = await withProbe((db) => ({
      async change({ text }, call) {
        await insertProbe(db, call, `${text} 1`);
        await insertProbe(db, call, `${text} 2`);
        if (text === "bad") throw invalid("text", "is bad");
        return {};
      },
    }));
    await probe.edgehelm.call(ada, change, { text: "good" });
    await expect(probe.edgehelm.call(ada, change, { text: "bad" })).rejects.toMatchObject({ code: 400 });
    expect(await probe.written()).toEqual(["good 1", "good 2"]);
  });

  test("shares its commit with others, but is rolled back separately", async () => {
    await using probe = await withProbe((db) => ({
      async change({ text, number }, call) {
        await insertProbe(db, call, text);
        if (number % 8n === 0n) throw invalid("number", "is divisible by 8");
        return {};
      },
    }));
    await probe.edgehelm.call(ada, change, { text: "warm", number: 1n });
    const before = commitsOf(probe.edgehelm);
    const numbers = Array.from({ length: 64 }, (_, index) => index);
    const outcomes = await Promise.allSettled(
      numbers.map((number) =>
        probe.edgehelm.call(ada, change, { text: `n${String(number).padStart(2, "0")}`, number: BigInt(number) })
      ),
    );
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBe(8);
    const expected = numbers.filter((number) => number % 8 !== 0).map((number) =>
      `n${String(number).padStart(2, "0")}`
    );
    expect(await probe.written()).toEqual([...expected, "warm"]);
    expect(commitsOf(probe.edgehelm) - before).toBeLessThan(16);
  });

  test("cannot be joined after its handler returned", async () => {
    let late: Promise<unknown> | undefined;
    await using probe = await withProbe((db) => ({
      change(_request, call) {
        late = new Promise<void>((resolve) => setImmediate(resolve)).then(() => insertProbe(db, call, "late"));
        late.catch(() => {});
        return {};
      },
    }));
    await probe.edgehelm.call(ada, change, {});
    await expect(late).rejects.toThrow("this call has ended");
    expect(await probe.written()).toEqual([]);
  });
});

describe("an EXTERNAL operation", () => {
  test("can write only through the inner call during a transaction", async () => {
    const messages: string[] = [];
    await using probe = await withProbe((db) => ({
      async reach(_request, call) {
        await call.transact(async (inner) => {
          await insertProbe(db, inner, "inner");
          await insertProbe(db, call, "outer").catch((error) => messages.push(error.message));
          await call.transact(() => Promise.resolve()).catch((error) => messages.push(error.message));
        });
        return {};
      },
    }));
    await probe.edgehelm.call(ada, reach, {});
    expect(await probe.written()).toEqual(["inner"]);
    expect(messages.length).toBe(2);
    for (const message of messages) expect(message).toContain("use the call that transact passes");
  });

  test("can neither fetch nor connect inside a transaction", async () => {
    const messages: string[] = [];
    await using probe = await withProbe(() => ({
      async reach(_request, call) {
        for (
          const way of [() => call.fetch("http://127.0.0.1:9/"), () => call.connect({ host: "127.0.0.1", port: 9 })]
        ) {
          await call.transact(async () => void await way()).catch((error) => messages.push(error.message));
        }
        await call.transact(async (inner) => void await inner.fetch("http://127.0.0.1:9/"));
        return {};
      },
      async change(_request, call) {
        await call.fetch("http://127.0.0.1:9/");
        return {};
      },
    }));
    await expect(probe.edgehelm.call(ada, reach, {})).rejects.toMatchObject(INTERNAL);
    await expect(probe.edgehelm.call(ada, change, {})).rejects.toMatchObject(INTERNAL);
    expect(messages.map((message) => message.split(":")[0])).toEqual([
      "fetch inside a transaction",
      "connect inside a transaction",
    ]);
  });

  test("reaches other machines with the guard of the installation, and an error that names the field", async () => {
    await using probe = await withProbe(() => ({
      async reach(_request, call) {
        await call.fetch("http://127.0.0.1:9/");
        return {};
      },
    }));
    await expect(probe.edgehelm.call(ada, reach, {})).rejects.toMatchObject({
      code: 400,
      message: 'url: "127.0.0.1" has a loopback address, which outbound.allow does not contain',
    });
  });
});

test("an internal error is logged with the request id, and its text is not sent to the caller", async () => {
  const lines: string[] = [];
  await using probe = await withProbe(() => ({
    look() {
      throw new Error("secret detail");
    },
  }), lines);
  const { requestId, message } = await probe.edgehelm.post("/ProbeService/look", {}, ada);
  expect(message).toBe("internal error");
  expect(lines.join()).toContain("secret detail");
  expect(lines.join()).toContain(String(requestId));
});
