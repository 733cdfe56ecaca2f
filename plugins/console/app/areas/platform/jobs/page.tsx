import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { Moment } from "../../../parts/lists/moment.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { route } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { plural } from "../../../texts/mod.ts";
import { durationText, intervalText } from "../duration.ts";
import { type JobInfo, loadJobs, RUN } from "../installation.ts";
import { RunDialog } from "./run_dialog.tsx";
import { texts } from "./texts.ts";

const KINDS = { never: "idle", ok: "ok", failed: "bad", late: "warn", running: "ok" } as const;

/** The background jobs: how each went, and when it is due. */
export default function JobsPage(): JSX.Element {
  const [typed, setTyped] = useState(route.value.parameters.get("find") ?? "");
  const [isOnlyTrouble, setOnlyTrouble] = useState(false);
  const [running, setRunning] = useState<JobInfo>();
  const jobs = useLoaded(loadJobs, []);
  const { value: text } = texts;
  const shown = jobs.value?.filter(({ name, state }) =>
    name.includes(typed.trim().toLowerCase()) && (!isOnlyTrouble || state === "failed" || state === "late")
  );
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        <button type="button" class="btn" disabled={jobs.isLoading} onClick={jobs.reload}>{text.reload}</button>
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        <div class="bar" role="search">
          <input
            type="search"
            class="find"
            aria-label={text.find}
            placeholder={text.find}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <button
            type="button"
            class={isOnlyTrouble ? "chip on" : "chip"}
            aria-pressed={isOnlyTrouble}
            onClick={() => setOnlyTrouble(!isOnlyTrouble)}
          >
            {text.onlyTrouble}
          </button>
          <span class="dim" role="status">{shown && plural(text.shown, shown.length)}</span>
        </div>
        {jobs.error !== undefined && <Failure error={jobs.error} onRetry={jobs.reload} />}
        {shown === undefined && jobs.error === undefined && <Skeleton rows={10} />}
        {shown?.length === 0 && <p class="empty">{isOnlyTrouble && typed === "" ? text.noTrouble : text.none}</p>}
        {shown !== undefined && shown.length > 0 && <JobTable jobs={shown} onRun={setRunning} />}
      </div>
      {running && <RunDialog job={running} onEnded={jobs.reload} onClose={() => setRunning(undefined)} />}
    </>
  );
}

function JobTable({ jobs, onRun }: { jobs: readonly JobInfo[]; onRun: (job: JobInfo) => void }): JSX.Element {
  const { value: text } = texts;
  const mayRun = mayCall(RUN);
  return (
    <div class="scroll">
      <table class="list jobs">
        <thead>
          <tr>
            <th>{text.job}</th>
            <th>{text.state}</th>
            <th>{text.last}</th>
            <th class="num">{text.duration}</th>
            <th>{text.every}</th>
            <th>{text.next}</th>
            <th>
              <span class="hidden">{text.run}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.name}>
              <td class="job">
                <span class="mono">{job.name}</span>
                {job.error !== "" && <div class="error">{job.error}</div>}
              </td>
              <td>
                <State kind={KINDS[job.state]} text={text.states[job.state]} />{" "}
                {job.countFailures > 1 && <span class="dim">{plural(text.failures, job.countFailures)}</span>}
              </td>
              <td>{job.startedAt === 0n ? "" : <Moment at={job.startedAt} />}</td>
              <td class="num">
                {job.startedAt === 0n ? "" : durationText(Number(job.durationMilliseconds) / 1000)}
              </td>
              <td>{intervalText(job.everySeconds)}</td>
              <td>{job.dueAt === 0n ? text.soon : <Moment at={job.dueAt} />}</td>
              <td class="buttons">
                {mayRun && (
                  <button
                    type="button"
                    class="btn quiet"
                    aria-label={`${text.run} ${job.name}`}
                    disabled={job.state === "running"}
                    onClick={() => onRun(job)}
                  >
                    {text.run}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
