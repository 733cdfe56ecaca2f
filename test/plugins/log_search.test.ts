import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, definePlugin } from "edgehelm";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { migrations } from "../../plugins/log/migrations/mod.ts";
import plugin from "../../plugins/log/plugin.ts";
import { type CreateLogRequestSchema, type Log, LogService } from "../../plugins/log/service_log_pb.ts";
import type { Tables } from "../../plugins/log/store.ts";
import { openTestDatabase, TEST_DATABASE } from "../harness/database.ts";
import { Random } from "../harness/random.ts";
import { plansOf, type Ran, watched } from "../harness/watched.ts";

const rpc = LogService.method;
const admin = as.admin(3n);
const START = 1_800_000_000;
const DAY = 86_400;
const NOBODY = { owner: "test", tables: undefined };

let directory: string;
let clock: TestClock;
let edgehelm: TestKernel;
let ran: Ran[];
// How many logs are indexed is told of the whole installation, so every test has its own.
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  clock = new TestClock(START * 1000);
  await open();
  onTestFinished(async () => {
    await edgehelm[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });
});

async function open(one = plugin): Promise<void> {
  ran = [];
  const engine = watched(await openTestDatabase(directory), "log", (statement) => ran.push(statement));
  edgehelm = await testKernel({ plugins: [one], engine, clock });
}

async function write(logs: readonly MessageInitShape<typeof CreateLogRequestSchema>[], caller = admin) {
  for (let from = 0; from < logs.length; from += 100) {
    const some = logs.slice(from, from + 100);
    await Promise.all(some.map((log) => edgehelm.call(caller, rpc.createLog, { level: "info", ...log })));
  }
}

type Question = Record<string, unknown>;

async function list(request: Question): Promise<Log[]> {
  return (await edgehelm.call(admin, rpc.listLogs, request)).logs;
}

async function count(request: Question): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.countLogs, request)).count;
}

async function everything(): Promise<Log[]> {
  const all: Log[] = [];
  for (let last = 1000; last === 1000;) {
    const page = await list({ size: 1000n, offset: BigInt(all.length) });
    all.push(...page);
    last = page.length;
  }
  return all;
}

async function number(sql: string): Promise<number> {
  const { rows } = await edgehelm.engine.reader.run({ sql, scope: NOBODY }, []);
  return Number(rows[0]![0]);
}

/** How many logs are in the search index. */
function indexed(): Promise<number> {
  return number("select count(*) from logSearch_docsize");
}

function catchUp(): Promise<void> {
  return edgehelm.kernel.runJob("log.index");
}

/** As LIKE compares: only the letters a to z are the same in upper and lower case. */
function folded(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function dayOf(seconds: number | bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
}

function matches(log: Log, { keyword, level, userType, dayFrom, dayTo }: Question): boolean {
  const day = dayOf(log.createdAt);
  const asked = folded(String(keyword).trim());
  return [log.description, log.ip, log.action].some((text) => folded(text).includes(asked)) &&
    (level === undefined || log.level === level) && (userType === undefined || log.type === userType) &&
    (dayFrom === undefined || day >= String(dayFrom)) && (dayTo === undefined || day <= String(dayTo));
}

const WORDS = [
  ...[
    "turned off",
    "LOGIN",
    "login",
    "Node 7",
    "50%",
    "100 %",
    "a_b",
    "a\\b",
    'say "hi"',
    '""',
    "it's",
    "AND",
    "NEAR(",
  ],
  ...["Straße", "STRASSE", "été", "ÉTÉ", "e\u0301te\u0301", "İstanbul", "istanbul", "\u212Aelvin", "kelvin", "ſame"],
  ...["登录成功", "登录失败", "🎉🎊🎉", "👩‍👩‍👧", "naïve", "*", "col:on", "-minus", "x".repeat(30), "ΣΊΣΥΦΟΣ", "σίσυφος"],
];

describe("a keyword finds what going through all logs would", () => {
  async function ask(random: Random, questions: number): Promise<void> {
    const all = await everything();
    const texts = all.flatMap(({ description, ip, action }) => [description, ip, action]).filter((text) => text !== "");
    const part = (): string => {
      const letters = [...random.oneOf(texts)];
      const from = random.below(letters.length);
      const some = letters.slice(from, from + 1 + random.below(9)).join("");
      const sized = [some, some, some.toUpperCase(), some.toLowerCase(), folded(some)];
      return random.oneOf([...sized, `${some}${random.oneOf(WORDS)}`, random.oneOf(WORDS)]);
    };
    let found = 0;
    for (let asked = 0; asked < questions; asked++) {
      const keyword = part();
      if (keyword.trim() === "") continue;
      const request: Question = { keyword };
      if (random.below(3) === 0) request["level"] = random.oneOf(["info", "warn", "error"]);
      if (random.below(3) === 0) request["userType"] = random.oneOf(["admin", "user"]);
      if (random.below(4) === 0) request["dayFrom"] = dayOf(START + random.below(6) * DAY);
      if (random.below(4) === 0) request["dayTo"] = dayOf(START + random.below(6) * DAY);
      const right = all.filter((log) => matches(log, request)).map(({ id }) => id);
      found += right.length;
      const offset = random.below(3) === 0 ? random.below(right.length + 2) : 0;
      const page = (await list({ ...request, size: 15n, offset: BigInt(offset) })).map(({ id }) => id);
      expect({ request, offset, page, count: await count(request) })
        .toEqual({ request, offset, page: right.slice(offset, offset + 15), count: BigInt(right.length) });
    }
    expect(found).toBeGreaterThan(questions);
  }

  test("whether it is indexed, not yet, or removed", async () => {
    const random = new Random(11);
    const text = () => random.list(4, () => random.oneOf(WORDS)).join(random.oneOf([" ", "", "/"]));
    for (let batch = 0; batch < 6; batch++) {
      const logs = Array.from({ length: 110 }, () => ({
        level: random.oneOf(["info", "warn", "error"]),
        // what is cut within a letter of two code units keeps half of it
        description: random.below(20) === 0 ? `${"y".repeat(999)}🎉` : `${text()} ${random.oneOf(WORDS)}`,
        action: `/${text()}`,
        ip: random.oneOf(["192.0.2.1", "192.0.2.17", "2001:db8::17", ""]),
      }));
      await write(logs, random.oneOf([admin, as.user(7n)]));
      if (batch === 1 || batch === 3) await catchUp();
      if (batch === 2 || batch === 4) {
        const gone = (await everything()).filter(() => random.below(8) === 0).map(({ id }) => id);
        expect(gone.length).toBeGreaterThan(10);
        await edgehelm.call(admin, rpc.deleteLogsPermanently, { logIds: gone });
      }
      clock.advance(DAY);
    }
    const [some, total] = [await indexed(), await number("select count(*) from logs")];
    expect(some).toBeGreaterThan(200);
    expect(total).toBeGreaterThan(some + 100);
    await ask(random, 150);
    await catchUp();
    expect(await indexed()).toBe(total);
    await ask(random, 150);
  }, 120_000);

  test.each(["ete", "ÉTÉ", "strasse", "Kelvin", "i\u0307stanbul"])(
    "LIKE says what letters are the same: %s",
    async (keyword) => {
      await write(WORDS.map((description) => ({ description })));
      await catchUp();
      const right = WORDS.filter((word) => folded(word).includes(folded(keyword))).reverse();
      expect((await list({ keyword })).map(({ description }) => description)).toEqual(right);
      expect(await count({ keyword })).toBe(BigInt(right.length));
    },
  );
});

describe("removed logs leave the index", () => {
  beforeEach(async () => {
    await write(Array.from({ length: 30 }, (_, at) => ({ description: `old needle ${at}` })));
    clock.advance(3 * DAY);
    await write(Array.from({ length: 20 }, (_, at) => ({ description: `new needle ${at}` })));
    await catchUp();
    await write([{ description: "not indexed needle" }]);
    expect(await indexed()).toBe(50);
  });

  const inIndex = () => number(`select count(*) from logSearch where logSearch match '"nee"'`);

  test.each([
    ["one by its id", 49, async () => {
      const [, newest] = await list({ size: 2n });
      await edgehelm.call(admin, rpc.deleteLogPermanently, { logId: newest!.id });
    }],
    ["by their ids", 45, async () => {
      const logIds = (await list({ size: 6n })).map(({ id }) => id);
      await edgehelm.call(admin, rpc.deleteLogsPermanently, { logIds: [...logIds, 9999n] });
    }],
    ["by their age", 20, async () => {
      await edgehelm.call(admin, rpc.cleanLogsPermanently, { days: 2 });
    }],
    ["all", 0, async () => {
      await edgehelm.call(admin, rpc.cleanLogsPermanently, { clearAll: true });
    }],
  ])("%s", async (_which, left, remove) => {
    await remove();
    expect([await indexed(), await inIndex()]).toEqual([left, left]);
    expect(await count({ keyword: "NEEDLE" })).toBe(await count({}));
    await write([{ description: "a later needle" }]);
    await catchUp();
    expect(await indexed()).toBe(await number("select count(*) from logs"));
    expect((await list({ keyword: "later needle" })).map(({ description }) => description)).toEqual(["a later needle"]);
  });
});

describe("the job", () => {
  test("takes in the logs of an older installation, in pieces between which others write", async () => {
    await edgehelm.stop();
    await rm(directory, { recursive: true });
    await mkdir(directory);
    const { "0003_index_texts": _later, ...older } = migrations;
    await open(definePlugin({
      manifest: {
        ...plugin.manifest,
        services: [],
        tables: plugin.manifest.tables.filter((name) => !name.startsWith("logSearch")),
      },
      migrations: older,
      setup({ db, every }) {
        const row = { level: "info", action: "/a", ip: "", adminId: 1n, userId: 0n, createdAt: BigInt(START) };
        const run = (call: Call) =>
          call.transact(async (inner) => {
            const rows = Array.from({ length: 1700 }, (_, at) => ({ ...row, description: `older log ${at}` }));
            for (let from = 0; from < rows.length; from += 850) {
              await db<Tables>()(inner).insertInto("logs").values(rows.slice(from, from + 850)).execute();
            }
          });
        every({ name: "fill", everySeconds: DAY, run });
      },
    }));
    await edgehelm.kernel.runJob("log.fill");
    await edgehelm.stop();

    await open();
    await write([{ description: "newer log" }]);
    for (const inIndex of [0, 1701]) {
      expect(await indexed()).toBe(inIndex);
      expect(await count({ keyword: "OLDER LOG" })).toBe(1700n);
      expect((await list({ keyword: "log", size: 2n })).map(({ description }) => description))
        .toEqual(["newer log", "older log 1699"]);
      expect((await list({ keyword: "older log 77" })).length).toBe(11);
      ran = [];
      await catchUp();
    }
    await catchUp();
    expect(await indexed()).toBe(1701);
    // the last job found nothing to do
    expect(ran.filter(({ sql }) => sql.startsWith('insert into "logSearch"'))).toEqual([]);
  });

  test("writes little at once, and goes on where it stopped", async () => {
    await write(Array.from({ length: 1200 }, (_, at) => ({ description: `log ${at}` })));
    ran = [];
    await catchUp();
    expect(ran.filter(({ sql }) => sql.startsWith('insert into "logSearch"')).map(({ parameters }) => parameters))
      .toEqual([[0n, 500n], [500n, 1000n], [1000n, 1200n]]);
    await edgehelm.call(admin, rpc.cleanLogsPermanently, { clearAll: true });
    await write([{ description: "one more" }]);
    await catchUp();
    expect(await indexed()).toBe(1);
    expect(await number("select indexedId from logSearchState")).toBe(1201);
  });
});

test.runIf(TEST_DATABASE === "file").each([
  [{ keyword: "log 7" }, true],
  [{ keyword: "log 7", level: "warn", userType: "user", dayFrom: dayOf(START) }, true],
  [{ keyword: "lo" }, false],
])("a search for %o goes through the index: %s", async (request, isIndexed) => {
  await write(Array.from({ length: 20 }, (_, at) => ({ description: `log ${at}` })));
  await catchUp();
  ran = [];
  await list(request);
  await count(request);
  const plans = await plansOf(edgehelm.engine, [...ran]);
  expect(plans.filter((step) => step.startsWith("SCAN found VIRTUAL TABLE")).length).toBe(isIndexed ? 2 : 0);
  // what is sorted is the page; candidates come in the order of ids, and of logs only the newer ones are read
  expect(plans.filter((step) => /^SCAN l\b/.test(step))).toEqual([]);
  expect(plans.filter((step) => /TEMP B-TREE FOR ORDER/.test(step))).toEqual([]);
});
