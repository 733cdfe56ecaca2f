import type { Call } from "edgehelm";
import type { Inspection, Timers } from "edgehelm/runtime";

/** Below the deadline of calls, so that a job that takes longer is no error. */
const WAIT_MILLISECONDS = 20_000;

interface RunDeps {
  readonly inspection: Inspection;
  readonly timers: Timers;
}

/** Runs a job, and waits for its end as long as a caller can. */
export async function runJob(name: string, call: Call, { inspection, timers }: RunDeps) {
  const waited = Promise.withResolvers<"running">();
  const cancelTimer = timers.after(WAIT_MILLISECONDS, () => waited.resolve("running"));
  try {
    const run = inspection.runJob(name).then((isHere) => isHere ? "ended" as const : "elsewhere" as const);
    const result = await Promise.race([run, waited.promise]);
    if (result !== "ended") return { result, error: "", durationMilliseconds: 0n };
  } finally {
    cancelTimer();
  }
  const last = (await inspection.jobs(call)).find((job) => job.name === name)?.last;
  if (last === undefined) return { result: "ok", error: "", durationMilliseconds: 0n };
  return {
    result: last.error === null ? "ok" : "failed",
    error: last.error ?? "",
    durationMilliseconds: last.endedAt - last.startedAt,
  };
}
