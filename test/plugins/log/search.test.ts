import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import type { Log } from "../../../plugins/log/proto/service_log_pb.ts";
import { TEST_DATABASE } from "../../harness/database.ts";
import { Random } from "../../harness/random.ts";
import { plansOf } from "../../harness/watched.ts";
import {
  admin,
  catchUp,
  clock,
  count,
  DAY,
  edgehelm,
  everything,
  indexed,
  list,
  number,
  type Question,
  ran,
  rpc,
  START,
  write,
} from "./search_rig.ts";

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

test.runIf(TEST_DATABASE === "file").each([
  [{ keyword: "log 7" }, true],
  [{ keyword: "log 7", level: "warn", userType: "user", dayFrom: dayOf(START) }, true],
  [{ keyword: "lo" }, false],
])("a search for %o goes through the index: %s", async (request, isIndexed) => {
  await write(Array.from({ length: 20 }, (_, at) => ({ description: `log ${at}` })));
  await catchUp();
  ran.length = 0;
  await list(request);
  await count(request);
  const plans = await plansOf(edgehelm.engine, [...ran]);
  expect(plans.filter((step) => step.startsWith("SCAN found VIRTUAL TABLE")).length).toBe(isIndexed ? 2 : 0);
  // what is sorted is the page; candidates come in the order of ids, and of logs only the newer ones are read
  expect(plans.filter((step) => /^SCAN l\b/.test(step))).toEqual([]);
  expect(plans.filter((step) => /TEMP B-TREE FOR ORDER/.test(step))).toEqual([]);
});
