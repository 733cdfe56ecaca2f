import { bodyBytes, entryAt } from "../../segments/batch.ts";
import { IdKey } from "../../segments/id_table.ts";
import { Pace } from "../../segments/pace.ts";
import type { SegmentInfo } from "../../segments/segment.ts";
import { searchGeneration } from "../../segments/unsealed_search.ts";
import { mergeFound, packFound } from "./found.ts";
import { LogWriter } from "./log_writer.ts";
import {
  type FoundBatch,
  type ListRequest,
  type ReaderRequest,
  Refusal,
  type SegmentOptions,
  type TaskOutcome,
  type WriterRequest,
} from "./messages.ts";
import { Maintenance } from "./upkeep.ts";
import { serve, tell, turn } from "./worker_program.ts";

/** Milliseconds of a search before the logs that wait to be kept have their turn. */
const SLICE = 4;

let upkeep: Maintenance | undefined;
let lastTask = 0;
const tasks = new Map<number, (outcome: TaskOutcome) => void>();

serve<WriterRequest>((request) => {
  if (request.kind === "open") return open(request.options);
  if (upkeep === undefined) throw new Refusal("the access logs are not open");
  const { writer } = upkeep;
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
      return upkeep.days();
    case "dropDay":
      return upkeep.dropDay(request.day);
    case "removeOfUser":
      return upkeep.removeOfUser(request.userId, request.limit);
    case "sealAll":
      return upkeep.sealAll();
    case "sealed":
      tasks.get(request.task)?.(request.outcome);
      tasks.delete(request.task);
      return;
    case "close":
      writer.close();
      upkeep = undefined;
  }
});

function open(options: SegmentOptions): void {
  const writer = new LogWriter(options, () => upkeep?.seal(), report);
  upkeep = new Maintenance({ writer, run: runElsewhere, tellChange: (change) => tell({ event: "change", change }) });
  for (const damage of writer.damages) tell({ event: "damage", damage });
  const added = [...writer.pool.infos()];
  tell({ event: "change", change: { added, replaced: [], dropped: [], changed: [] } });
  upkeep.seal();
}

function runElsewhere(request: ReaderRequest): Promise<TaskOutcome> {
  const { promise, resolve } = Promise.withResolvers<TaskOutcome>();
  tasks.set(++lastTask, resolve);
  tell({ event: "task", task: lastTask, request });
  return promise;
}

async function list(writer: LogWriter, { filter, page, bounds }: ListRequest): Promise<FoundBatch> {
  const parts = [];
  for (const generation of writer.generations) {
    const pace = new Pace({ ...bounds, slice: SLICE, turn });
    parts.push(await searchGeneration(generation, filter, page, pace));
  }
  return packFound(mergeFound(parts, page));
}

function find(writer: LogWriter, requestId: string): FoundBatch {
  const key = IdKey.of(new TextEncoder().encode(requestId));
  for (const generation of writer.generations) {
    const row = generation.ids.find(key);
    if (row < 0 || row >= generation.visible || generation.isRemoved[row] === 1) continue;
    const [piece, at] = [generation.pieceOf(row), generation.startOf(row)];
    return packFound({ entries: [entryAt(piece, at, bodyBytes(piece, at))] });
  }
  return packFound({ entries: [] });
}

function report({ name }: SegmentInfo, fault: unknown): void {
  tell({ event: "damage", damage: { name, fault: fault instanceof Error ? fault.message : String(fault) } });
}
