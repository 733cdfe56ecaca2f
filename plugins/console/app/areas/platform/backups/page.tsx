import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { Moment } from "../../../parts/lists/moment.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { mayCall } from "../../../shell/state.ts";
import { bytesText } from "../../../texts/amounts.ts";
import { fill } from "../../../texts/fill.ts";
import { count } from "../../../texts/mod.ts";
import { intervalText } from "../duration.ts";
import {
  type Backup,
  type Backups,
  CHECK_BACKUP,
  checkBackup,
  loadBackups,
  MAKE_BACKUP,
  makeBackup,
} from "../installation.ts";
import { texts } from "./texts.ts";
import { WorkDialog } from "./work_dialog.tsx";

const KINDS = { never: "idle", ok: "ok", failed: "bad" } as const;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
const EXAMPLE = '{ "backup": { "to": "/var/backups/edgehelm" } }';

/** The backups of the installation, with their last checks. */
export default function BackupsPage(): JSX.Element {
  const [asked, setAsked] = useState<"make" | Backup>();
  const backups = useLoaded(loadBackups, []);
  const { value: text } = texts;
  const isConfigured = backups.value?.isConfigured === true;
  const close = () => setAsked(undefined);
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        <button type="button" class="btn" disabled={backups.isLoading} onClick={backups.reload}>{text.reload}</button>
        {isConfigured && mayCall(MAKE_BACKUP) && (
          <button
            type="button"
            class="btn primary"
            disabled={backups.value!.isBusy}
            onClick={() => setAsked("make")}
          >
            {text.make}
          </button>
        )}
      </div>
      {backups.error !== undefined && <Failure error={backups.error} onRetry={backups.reload} />}
      {backups.value === undefined && backups.error === undefined && (
        <div class="panel">
          <Skeleton rows={5} />
        </div>
      )}
      {backups.value !== undefined && !isConfigured && <NotConfigured />}
      {backups.value !== undefined && isConfigured && <Schedule backups={backups.value} onCheck={setAsked} />}
      {asked === "make" && (
        <WorkDialog title={text.make} action={text.make} work={makeBackup} onEnded={backups.reload} onClose={close}>
          {text.makeHelp}
        </WorkDialog>
      )}
      {asked !== undefined && asked !== "make" && (
        <WorkDialog
          title={fill(text.checkOne, { name: asked.name })}
          action={text.check}
          work={() => checkBackup(asked.name)}
          onEnded={backups.reload}
          onClose={close}
        >
          {text.checkHelp}
        </WorkDialog>
      )}
    </>
  );
}

function NotConfigured(): JSX.Element {
  const { value: text } = texts;
  return (
    <div class="panel empty">
      <p>
        <strong>{text.notConfigured}</strong>
      </p>
      <p>{text.howTo}</p>
      <p class="mono">{EXAMPLE}</p>
      <p class="dim">{text.howToS3}</p>
    </div>
  );
}

interface ScheduleProps {
  readonly backups: Backups;
  readonly onCheck: (backup: Backup) => void;
}

function Schedule({ backups, onCheck }: ScheduleProps): JSX.Element {
  const { value: text } = texts;
  const { place, everyHours, maxAgeHours, checkDays, isBusy, installationBackups } = backups;
  const facts = [
    [text.place, place],
    [text.every, intervalText(everyHours * HOUR_SECONDS)],
    [text.maxAge, intervalText(maxAgeHours * HOUR_SECONDS)],
    [text.checkEvery, intervalText(checkDays * DAY_SECONDS)],
  ];
  return (
    <>
      <div class="panel">
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <h2 class="related">{text.stored}</h2>
      <div class="panel">
        {isBusy && <p class="dim" role="status">{text.busy}</p>}
        {installationBackups.length === 0
          ? <p class="empty">{text.none}</p>
          : <BackupTable backups={installationBackups} isBusy={isBusy} onCheck={onCheck} />}
      </div>
    </>
  );
}

interface BackupTableProps {
  readonly backups: readonly Backup[];
  readonly isBusy: boolean;
  readonly onCheck: (backup: Backup) => void;
}

function BackupTable({ backups, isBusy, onCheck }: BackupTableProps): JSX.Element {
  const { value: text } = texts;
  const mayCheck = mayCall(CHECK_BACKUP);
  return (
    <div class="scroll">
      <table class="list jobs">
        <thead>
          <tr>
            <th>{text.name}</th>
            <th>{text.made}</th>
            <th class="num">{text.size}</th>
            <th class="num">{text.rows}</th>
            <th>{text.checked}</th>
            <th>
              <span class="hidden">{text.check}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {backups.map((backup) => (
            <tr key={backup.name}>
              <td class="job">
                <span class="mono">{backup.name}</span>
                {backup.checkError !== "" && <div class="error">{backup.checkError}</div>}
              </td>
              <td>
                <Moment at={backup.madeAt} />
              </td>
              <td class="num">{bytesText(backup.bytes)}</td>
              <td class="num">{count(backup.countRows)}</td>
              <td>
                <State kind={KINDS[backup.checkState]} text={text.states[backup.checkState]} />{" "}
                {backup.checkedAt !== 0n && <Moment at={backup.checkedAt} />}
              </td>
              <td class="buttons">
                {mayCheck && (
                  <button
                    type="button"
                    class="btn quiet"
                    aria-label={`${text.check} ${backup.name}`}
                    disabled={isBusy}
                    onClick={() => onCheck(backup)}
                  >
                    {text.check}
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
