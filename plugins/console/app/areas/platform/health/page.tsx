import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { count, relativeTime, time } from "../../../texts/mod.ts";
import {
  AUDIT,
  BACKUPS,
  FIND,
  type Finding,
  type Installation,
  JOBS,
  loadHealth,
  loadInstallation,
} from "../installation.ts";
import { AuditPanel } from "./audit_panel.tsx";
import { texts } from "./texts.ts";

/** What has a cause after its first colon, in the language of the server. */
const WITH_CAUSE: ReadonlySet<string> = new Set(["job_failed", "plugin_failed", "backups_degraded"]);

/** The health of the installation in words, and who serves it. */
export default function HealthPage(): JSX.Element {
  const health = useLoaded(loadHealth, []);
  const installation = useLoaded(
    (signal) => mayCall(FIND) ? loadInstallation(signal) : Promise.resolve(undefined),
    [],
  );
  const { value: text } = texts;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        {health.value && <State kind={health.value.state} text={text.states[health.value.state]} />}
        <span class="sp" />
        <button type="button" class="btn" disabled={health.isLoading} onClick={health.reload}>{text.again}</button>
      </div>
      <div class="panel findings">
        {health.error !== undefined && <Failure error={health.error} onRetry={health.reload} />}
        {health.value === undefined && health.error === undefined && <Skeleton rows={3} />}
        {health.value?.findings.map((finding) => <FindingRow key={finding.code + finding.message} finding={finding} />)}
      </div>
      {mayCall(AUDIT) && <AuditPanel onVerified={health.reload} />}
      {installation.value && (
        <Served installation={installation.value} callsInFlight={health.value?.callsInFlight ?? 0} />
      )}
    </>
  );
}

function FindingRow({ finding }: { finding: Finding }): JSX.Element {
  const { value: text } = texts;
  const { part, state, code, subject } = finding;
  const known = (text.findings as Readonly<Record<string, { readonly what: string; readonly advice: string }>>)[code];
  const isJob = part === "jobs" && subject !== "" && mayCall(JOBS);
  return (
    <div class="finding">
      <State kind={state} text={text.parts[part]} />
      <div>
        <p>{known === undefined ? finding.message : fill(known.what, { subject })}</p>
        {WITH_CAUSE.has(code) && <p class="mono">{finding.message.slice(finding.message.indexOf(": ") + 2)}</p>}
        {finding.advice !== "" && <p class="dim">{known?.advice ?? finding.advice}</p>}
      </div>
      {part === "backups" && mayCall(BACKUPS) && <a class="btn" href={linkTo(["backups"])}>{text.toBackups}</a>}
      {isJob && <a class="btn" href={linkTo(["jobs"], { find: subject })}>{text.toJob}</a>}
    </div>
  );
}

interface ServedProps {
  readonly installation: Installation;
  readonly callsInFlight: number;
}

function Served({ installation, callsInFlight }: ServedProps): JSX.Element {
  const { value: text } = texts;
  const { version, kernelVersion, timeZone, instanceId, instances } = installation;
  return (
    <>
      <h2 class="related">{text.installation}</h2>
      <div class="panel">
        <dl>
          <div>
            <dt>{text.version}</dt>
            <dd>{version}</dd>
          </div>
          <div>
            <dt>{text.kernelVersion}</dt>
            <dd>{kernelVersion}</dd>
          </div>
          <div>
            <dt>{text.timeZone}</dt>
            <dd>{timeZone}</dd>
          </div>
          <div>
            <dt>{text.calls}</dt>
            <dd>{count(callsInFlight)}</dd>
          </div>
        </dl>
      </div>
      <h2 class="related">{text.instances}</h2>
      <div class="panel">
        {instances.length === 0 ? <p class="empty">{text.noInstances}</p> : (
          <div class="scroll">
            <table class="list">
              <thead>
                <tr>
                  <th>{text.instance}</th>
                  <th>{text.version}</th>
                  <th>{text.runtime}</th>
                  <th>{text.started}</th>
                </tr>
              </thead>
              <tbody>
                {instances.map(({ id, version, runtime, startedAt }) => (
                  <tr key={id}>
                    <td class="mono">
                      {id.slice(0, 8)} {id === instanceId && <span class="dim">{text.thisOne}</span>}
                    </td>
                    <td>{version}</td>
                    <td>{runtime}</td>
                    <td title={time(startedAt)}>{relativeTime(startedAt)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </>
  );
}
