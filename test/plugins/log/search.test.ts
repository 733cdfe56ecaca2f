import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import type { Log } from "../../../plugins/log/proto/service_log_pb.ts";
import { TEST_DATABASE } from "../../harness/database.ts";
import { Random } from "../../harness/random.ts";
import { plansOf } from "../../harness/statement_log.ts";
import {
  admin,
  allLogs,
  catchUp,
  clock,
  count,
  DAY,
  edgehelm,
  indexedCount,
  list,
  type LogFilter,
  number,
  ran,
  rpc,
  START,
  write,
} from "./search_rig.ts";

/** Folds case as LIKE does: only for the letters a to z. */
function folded(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function dayOf(seconds: number | bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
}

function matches(log: Log, { keyword, level, userType, dayFrom, dayTo }: LogFilter): boolean {
  const day = dayOf(log.createdAt);
  const text = folded(String(keyword).trim());
  return [log.description, log.ip, log.action].some((value) => folded(value).includes(text)) &&
    (level === undefined || log.level === level) && (userType === undefined || log.type === userType) &&
    (dayFrom === undefined || day >= String(dayFrom)) && (dayTo === undefined || day <= String(dayTo));
}

/** The search index is used for at least so many logs; fewer are searched log by log. */
const MIN_INDEXED = 700;

function otherLogs(length: number) {
  return Array.from({ length }, (_, at) => ({ description: `log ${at}`, level: "warn" }));
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

describe("a search finds the same logs as a scan of all logs", () => {
  async function compareSearches(random: Random, searches: number): Promise<void> {
    const all = await allLogs();
    const texts = all.flatMap(({ description, ip, action }) => [description, ip, action]).filter((text) => text !== "");
    const randomKeyword = (): string => {
      const letters = [...random.oneOf(texts)];
      const from = random.below(letters.length);
      const part = letters.slice(from, from + 1 + random.below(9)).join("");
      const variants = [part, part, part.toUpperCase(), part.toLowerCase(), folded(part)];
      return random.oneOf([...variants, `${part}${random.oneOf(WORDS)}`, random.oneOf(WORDS)]);
    };
    let found = 0;
    for (let search = 0; search < searches; search++) {
      const keyword = randomKeyword();
      if (keyword.trim() === "") continue;
      const request: LogFilter = { keyword };
      if (random.below(3) === 0) request["level"] = random.oneOf(["info", "warn", "error"]);
      if (random.below(3) === 0) request["userType"] = random.oneOf(["admin", "user"]);
      if (random.below(4) === 0) request["dayFrom"] = dayOf(START + random.below(6) * DAY);
      if (random.below(4) === 0) request["dayTo"] = dayOf(START + random.below(6) * DAY);
      const expected = all.filter((log) => matches(log, request)).map(({ id }) => id);
      found += expected.length;
      const offset = random.below(3) === 0 ? random.below(expected.length + 2) : 0;
      const page = (await list({ ...request, size: 15n, offset: BigInt(offset) })).map(({ id }) => id);
      expect({ request, offset, page, count: await count(request) })
        .toEqual({ request, offset, page: expected.slice(offset, offset + 15), count: BigInt(expected.length) });
    }
    expect(found).toBeGreaterThan(searches);
  }

  test("indexed, not yet indexed, or deleted", async () => {
    const random = new Random(11);
    const text = () => random.list(4, () => random.oneOf(WORDS)).join(random.oneOf([" ", "", "/"]));
    for (let batch = 0; batch < 6; batch++) {
      const logs = Array.from({ length: 150 }, () => ({
        level: random.oneOf(["info", "warn", "error"]),
        // Truncation within a surrogate pair keeps half of it.
        description: random.below(20) === 0 ? `${"y".repeat(999)}🎉` : `${text()} ${random.oneOf(WORDS)}`,
        action: `/${text()}`,
        ip: random.oneOf(["192.0.2.1", "192.0.2.17", "2001:db8::17", ""]),
      }));
      await write(logs, random.oneOf([admin, as.user(7n)]));
      if (batch === 1 || batch === 3) await catchUp();
      if (batch === 2 || batch === 4) {
        const deleted = (await allLogs()).filter(() => random.below(8) === 0).map(({ id }) => id);
        expect(deleted.length).toBeGreaterThan(10);
        await edgehelm.call(admin, rpc.deleteLogsPermanently, { logIds: deleted });
      }
      clock.advance(DAY);
    }
    const [indexed, total] = [await indexedCount(), await number("select count(*) from logs")];
    expect(indexed).toBeGreaterThan(200);
    expect(total).toBeGreaterThan(indexed + 100);
    await compareSearches(random, 150);
    await catchUp();
    expect(await indexedCount()).toBe(total);
    await compareSearches(random, 150);
  });

  test.each(["ete", "ÉTÉ", "strasse", "Kelvin", "i\u0307stanbul"])(
    "letters match as LIKE compares them: %s",
    async (keyword) => {
      await write(WORDS.map((description) => ({ description })));
      await write(otherLogs(MIN_INDEXED));
      await catchUp();
      const expected = WORDS.filter((word) => folded(word).includes(folded(keyword))).reverse();
      expect((await list({ keyword })).map(({ description }) => description)).toEqual(expected);
      expect(await count({ keyword })).toBe(BigInt(expected.length));
    },
  );
});

test.runIf(TEST_DATABASE === "file").each([
  [{ keyword: "log 7" }, true],
  [{ keyword: "log 7", level: "warn", userType: "user", dayFrom: dayOf(START) }, true],
  [{ keyword: "lo" }, false],
])("a search for %o uses the index: %s", async (request, isIndexed) => {
  await write(otherLogs(MIN_INDEXED), as.user(7n));
  await catchUp();
  ran.length = 0;
  await list(request);
  await count(request);
  const plans = await plansOf(edgehelm.engine, [...ran]);
  expect(plans.filter((step) => step.startsWith("SCAN found VIRTUAL TABLE")).length).toBe(isIndexed ? 2 : 0);
  // Only the page is sorted: candidates come in the order of ids, and only logs that are not indexed are scanned.
  expect(plans.filter((step) => /^SCAN logs\b/.test(step))).toEqual([]);
  expect(plans.filter((step) => /TEMP B-TREE FOR ORDER/.test(step))).toEqual([]);
});
