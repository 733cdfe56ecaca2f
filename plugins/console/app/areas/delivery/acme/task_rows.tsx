import type { JSX } from "preact";
import { State } from "../../../parts/state.tsx";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { relativeTime, time } from "../../../texts/mod.ts";
import { type Doing, stateOf, type Task } from "./task.ts";
import { texts } from "./texts.ts";

interface RowsProps {
  readonly tasks: readonly Task[];
  readonly onDo: (doing: Doing) => void;
}

/** The table of tasks. */
export function TaskRows({ tasks, onDo }: RowsProps): JSX.Element {
  const { value: text } = texts;
  return (
    <table class="list acme-tasks">
      <thead>
        <tr>
          <th>{text.names}</th>
          <th>{text.state}</th>
          <th>{text.until}</th>
          <th>{text.next}</th>
          <th>
            <span class="hidden">{text.now}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => {
          const names = task.domains.join(", ");
          const { error = "" } = task.latestACMETaskLog ?? {};
          return (
            <tr key={String(task.id)}>
              <td class="first mono">{names}</td>
              <td>
                <State {...stateOf(task)} />
                {error !== "" && <div class="dim">{error}</div>}
              </td>
              <td>{task.sslCert !== undefined && <When at={task.sslCert.timeEndAt} />}</td>
              <td>{task.nextAt === 0n ? text.never : <When at={task.nextAt} />}</td>
              <td class="row-actions">
                {mayCall("ACMETaskService/runACMETask") && (
                  <button
                    type="button"
                    class="btn quiet"
                    aria-label={fill(text.nowFor, { names })}
                    onClick={() => onDo({ what: "run", task })}
                  >
                    {text.now}
                  </button>
                )}
                <button
                  type="button"
                  class="btn quiet"
                  aria-label={fill(text.historyFor, { names })}
                  onClick={() => onDo({ what: "history", task })}
                >
                  {text.history}
                </button>
                {task.sslCert?.isOn === true && mayCall("ACMETaskService/revokeACMETaskCert") && (
                  <button
                    type="button"
                    class="btn quiet"
                    aria-label={fill(text.revokeTitle, { names })}
                    onClick={() => onDo({ what: "revoke", task })}
                  >
                    {text.revoke}
                  </button>
                )}
                {mayCall("ACMETaskService/deleteACMETask") && (
                  <button
                    type="button"
                    class="btn quiet"
                    aria-label={fill(text.removeTitle, { names })}
                    onClick={() => onDo({ what: "remove", task })}
                  >
                    {text.remove}
                  </button>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function When({ at }: { at: bigint }): JSX.Element {
  return <time title={time(at)}>{relativeTime(at)}</time>;
}
