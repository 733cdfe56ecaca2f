import process from "node:process";
import type { Call } from "edgehelm";
import { systemClock } from "../../../core/base/clock.ts";
import { createLogger } from "../../../core/base/log.ts";
import { SegmentStore } from "../../../plugins/access_log_segments/host/segment_store.ts";
import { BATCH_ROWS, CRASH_DAY, CRASH_OPTIONS, crashBatch } from "./batches.ts";

// This program reports the content of a directory, then appends batches until it is killed.
const [directory = "", from = "0"] = process.argv.slice(2);
const CONCURRENCY = 4;

const call = { deadline: Infinity, signal: new AbortController().signal } as Call;
const log = createLogger({ level: "info", write: (line) => console.error(line), clock: systemClock });

const start = performance.now();
const store = new SegmentStore({ ...CRASH_OPTIONS, directory }, { clock: systemClock, log });
await store.days(call);
print(`opened ${Math.round(performance.now() - start)}`);

const rows = new Map<number, number>();
const seen = new Set<string>();
for (let cursor = "";;) {
  const page = { cursor, oldestFirst: true, size: 1000, withBodies: false };
  const { entries } = await store.list(call, CRASH_DAY, page);
  for (const { requestId, userId } of entries) {
    if (seen.has(requestId)) print(`doubled ${requestId}`);
    seen.add(requestId);
    rows.set(Number(userId), (rows.get(Number(userId)) ?? 0) + 1);
  }
  if (entries.length < page.size) break;
  cursor = entries.at(-1)!.requestId;
}
for (const [batch, count] of rows) if (count !== BATCH_ROWS) print(`part ${batch} ${count}`);
print(`found ${[...rows.keys()].join()}`);

let next = Number(from);
await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
  for (;;) {
    const number = next++;
    await store.append(call, crashBatch(number));
    print(`acknowledged ${number}`);
  }
}));

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
