import { ANYWHERE_TEXTS } from "../../http_access_log/contract/conditions.ts";
import type { Condition, FoundLogs, LogEntry, LogFilter, LogPage } from "../../http_access_log/contract/log_store.ts";
import { bodyBytes, compareId, entryAt, idText, logBytes } from "../rows/batch.ts";
import { firstNotBelow } from "../rows/bytes.ts";
import { type Generation, HOT, hotAddress, hotHost, hotNumber } from "./generation.ts";
import { lowerAscii } from "../search/host_pattern.ts";
import { Matcher } from "../search/match.ts";
import type { SearchBudget } from "../search/search_budget.ts";
import { NUMBERS, RowScan, TEXTS } from "../rows/row_scan.ts";

const encoder = new TextEncoder();
const NO_BODY = new Uint8Array();
/** The number of rows between two checks of the budget. */
const STRIDE = 256;
const STATUS = NUMBERS.indexOf("status");
const POLICY = NUMBERS.indexOf("firewallPolicyId");
const SEARCHED = [...ANYWHERE_TEXTS, "requestMethod" as const].map((name) => TEXTS.indexOf(name));

/** Finds the logs of a page in an unsealed generation. */
export async function searchGeneration(
  generation: Generation,
  filter: LogFilter,
  { cursor, oldestFirst, size, withBodies }: LogPage,
  budget: SearchBudget,
): Promise<FoundLogs> {
  const order = generation.order();
  const slots = generation.slots.map(({ partition }) =>
    filter.partition === undefined || BigInt(partition) === filter.partition
  );
  const tests = rowTests(generation, filter);
  const matcher = new Matcher(filter);
  const hasCursor = cursor !== "";
  const low = indexOfId(
    generation,
    order,
    hasCursor && oldestFirst && cursor >= filter.from ? `${cursor}\0` : filter.from,
  );
  const end = indexOfId(
    generation,
    order,
    hasCursor && !oldestFirst && cursor <= filter.to ? cursor : `${filter.to}\0`,
  );
  const entries: LogEntry[] = [];
  for (let step = 0; step < end - low && entries.length < size; step++) {
    if (step % STRIDE === STRIDE - 1) {
      budget.spend(STRIDE);
      await budget.yieldIfDue();
      const before = order[oldestFirst ? low + step - 1 : end - step]!;
      if (budget.isExhausted) {
        return { entries, stoppedAt: idText(generation.bufferOf(before), generation.startOf(before)) };
      }
    }
    const row = order[oldestFirst ? low + step : end - 1 - step]!;
    if (generation.isRemoved[row] === 1 || !slots[generation.slotOf[row]!]) continue;
    if (!tests.every((test) => test(row))) continue;
    const [buffer, at] = [generation.bufferOf(row), generation.startOf(row)];
    const entry = entryAt(buffer, at, withBodies ? bodyBytes(buffer, at) : NO_BODY);
    if (matcher.matches(entry)) entries.push(entry);
  }
  return { entries };
}

/** Returns the index in `order` of the first row whose id is at least `id`. */
function indexOfId(generation: Generation, order: Uint32Array, id: string): number {
  const bytes = encoder.encode(id);
  return firstNotBelow(order.length, (index) => {
    const row = order[index]!;
    return compareId(generation.bufferOf(row), generation.startOf(row), bytes) < 0;
  });
}

type RowTest = (row: number) => boolean;

/** Returns quick tests that pass every matching row and few others. */
function rowTests(generation: Generation, filter: LogFilter): RowTest[] {
  const tests: RowTest[] = [];
  const equal = (column: number, value: number) => tests.push((row) => generation.columns[column]![row] === value);
  for (const [column, name] of NUMBERS.entries()) {
    if (name !== "status" && filter[name] !== 0n) equal(column, hotNumber(filter[name]));
  }
  if (filter.userId !== 0n) equal(HOT.userId, hotNumber(filter.userId));
  if (filter.nodeClusterId !== 0n) equal(HOT.nodeClusterId, hotNumber(filter.nodeClusterId));
  if (filter.host !== "" && !filter.host.includes("*")) equal(HOT.host, hotHost(filter.host));
  if (filter.hasError) tests.push((row) => generation.columns[STATUS]![row]! >= 400);
  if (filter.hasFirewallPolicy) tests.push((row) => generation.columns[POLICY]![row] !== 0);
  if (filter.ip !== undefined) {
    const [from, to] = [hotAddress(filter.ip.from), hotAddress(filter.ip.to)];
    if (from > 0 && from === to) {
      // 0 is an address in another form, which may be the same address
      tests.push((row) => generation.columns[HOT.ip]![row] === from || generation.columns[HOT.ip]![row] === 0);
    }
  }
  if (filter.keyword?.kind === "anywhere") {
    const test = wordTest(generation, filter.keyword);
    if (test !== undefined) tests.push(test);
  }
  return tests;
}

/** Searches for an ASCII word in the bytes of a log, without decoding them. */
function wordTest(generation: Generation, condition: Condition): RowTest | undefined {
  if (condition.kind !== "anywhere") return undefined;
  // deno-lint-ignore no-control-regex
  if (!/^[\x01-\x7f]+$/.test(condition.text)) return undefined;
  const word = encoder.encode(lowerAscii(condition.text));
  const scan = new RowScan();
  return (row) => {
    const log = logBytes(generation.bufferOf(row), generation.startOf(row));
    scan.read(log, 0, log.length);
    return scan.tags.length > 0 || SEARCHED.some((text) => containsWord(log, scan.from[text]!, scan.to[text]!, word));
  };
}

function containsWord(bytes: Uint8Array, from: number, to: number, word: Uint8Array): boolean {
  const [first, length] = [word[0]!, word.length];
  for (let at = from; at <= to - length; at++) {
    if (lower(bytes[at]!) !== first) continue;
    let matched = 1;
    while (matched < length && lower(bytes[at + matched]!) === word[matched]) matched++;
    if (matched === length) return true;
  }
  return false;
}

function lower(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte;
}
