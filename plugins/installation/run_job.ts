import type { Call } from "edgehelm";
import type { Inspection, Timers } from "edgehelm/runtime";
import { waitFor } from "./waiting.ts";

interface RunDeps {
  readonly inspection: Inspection;
  readonly timers: Timers;
}

/** Runs a job, and waits for its end as long as a caller can. */
export async function runJob(name: string, call: Call, { inspection, timers }: RunDeps) {
  const run = inspection.runJob(name).then((isHere) => isHere ? "ended" as const : "elsewhere" as const);
  const result = await waitFor(run, timers) ?? "running";
  if (result !== "ended") return { result, error: "", durationMilliseconds: 0n };
  const last = (await inspection.jobs(call)).find((job) => job.name === name)?.last;
  if (last === undefined) return { result: "ok", error: "", durationMilliseconds: 0n };
  return {
    result: last.error === null ? "ok" : "failed",
    error: last.error ?? "",
    durationMilliseconds: last.endedAt - last.startedAt,
  };
}
