import { bodyBytes, entryAt } from "../../rows/batch.ts";
import { IdKey } from "../../unsealed/id_table.ts";
import { SearchBudget } from "../../search/search_budget.ts";
import { searchGeneration } from "../../unsealed/unsealed_search.ts";
import { mergeFound, packFound } from "./found_logs.ts";
import { LogWriter } from "../journal/log_writer.ts";
import {
  type FoundBatch,
  type ListRequest,
  type ReaderRequest,
  type SegmentChange,
  type SegmentOptions,
  type TaskOutcome,
  UnavailableError,
  type WorkerEvent,
  type WriterRequest,
} from "./messages.ts";
import { Maintenance } from "../maintenance/maintenance.ts";
import { emit, report, serve, turn } from "./worker_program.ts";

/** The number of milliseconds after which a search yields to waiting appends. */
const SLICE = 4;

let maintenance: Maintenance | undefined;
let lastTask = 0;
const tasks = new Map<number, (outcome: TaskOutcome) => void>();

serve<WriterRequest>((request) => {
  if (request.kind === "open") return open(request.options);
  if (maintenance === undefined) throw new UnavailableError("the access log store is not open");
  const { writer } = maintenance;
  switch (request.kind) {
    case "append":
      return writer.append(new Uint8Array(request.batch));
    case "list":
      return list(writer, request);
    case "find":
      return find(writer, request.requestId);
    case "partitions":
      return writer.days.partitions(request.day);
    case "days":
      return maintenance.days();
    case "dropDay":
      return maintenance.dropDay(request.day);
    case "removeOfUser":
      return maintenance.removeOfUser(request.userId, request.limit);
    case "sealAll":
      return maintenance.sealAll();
    case "done":
      tasks.get(request.task)?.(request.outcome);
      tasks.delete(request.task);
      return;
    case "close":
      writer.close();
      maintenance = undefined;
  }
});

function open(options: SegmentOptions): void {
  const writer = new LogWriter(options, () => maintenance?.seal(), report);
  maintenance = new Maintenance({ writer, run: runInSealer, announce });
  for (const damage of writer.damages) emit({ event: "damage", damage });
  const added = [...writer.pool.infos()];
  void announce({ added, replaced: [], dropped: [], changed: [] });
  maintenance.seal();
}

function runInSealer(request: ReaderRequest): Promise<TaskOutcome> {
  return outcomeOf((task) => ({ event: "task", task, request }));
}

/** Tells the readers about a change; resolves when all of them know it. */
async function announce(change: SegmentChange): Promise<void> {
  await outcomeOf((task) => ({ event: "change", task, change }));
}

function outcomeOf(event: (task: number) => WorkerEvent): Promise<TaskOutcome> {
  const { promise, resolve } = Promise.withResolvers<TaskOutcome>();
  tasks.set(++lastTask, resolve);
  emit(event(lastTask));
  return promise;
}

async function list(writer: LogWriter, { filter, page, limits }: ListRequest): Promise<FoundBatch> {
  const parts = [];
  for (const generation of writer.generations) {
    const budget = new SearchBudget({ ...limits, slice: SLICE, turn });
    parts.push(await searchGeneration(generation, filter, page, budget));
  }
  return packFound(mergeFound(parts, page));
}

function find(writer: LogWriter, requestId: string): FoundBatch {
  const key = IdKey.of(new TextEncoder().encode(requestId));
  for (const generation of writer.generations) {
    const row = generation.ids.find(key);
    if (row < 0 || row >= generation.visible || generation.isRemoved[row] === 1) continue;
    const [buffer, at] = [generation.bufferOf(row), generation.startOf(row)];
    return packFound({ entries: [entryAt(buffer, at, bodyBytes(buffer, at))] });
  }
  return packFound({ entries: [] });
}
