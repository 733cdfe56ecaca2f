import type { JSX } from "preact";
import { Moment } from "../../../parts/lists/moment.tsx";
import { State } from "../../../parts/state.tsx";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { count, relativeTime } from "../../../texts/mod.ts";
import { type HealthState, tagOf } from "./states.ts";
import { texts } from "./texts.ts";

interface HealthRowProps {
  readonly state: HealthState;
  /** The number of nodes that check the record. */
  readonly nodes: string;
  readonly onReturn: (state: HealthState) => void;
}

/** A record, its state and the nodes that report that its address is down. */
export function HealthRow({ state, nodes, onReturn }: HealthRowProps): JSX.Element {
  const { value: text } = texts;
  const { nsRecordId, name, type, value, downSince, port, countDown, countReports, reports } = state;
  const isLeftOut = state.state === "down" || state.state === "out";
  return (
    <tr>
      <td class="first">
        <a class="main" href={linkTo(["resource", "NSRecord", nsRecordId])}>{`${name} ${type}`}</a>
      </td>
      <td class="mono">{value}</td>
      <td>
        <State {...tagOf(state)} />
        {downSince !== 0n && (
          <span class="dim">
            {" "}
            <Moment at={downSince} />
          </span>
        )}
      </td>
      <td>{fill(text.checkOf, { port: String(port), n: count(countDown) })}</td>
      <td class="reports">
        {countReports > 0n && (
          <>
            {fill(text.reportsOf, { n: count(countReports), nodes })}
            {reports.map(({ nsNodeId, nsNodeName, reportedAt }) => (
              <span key={String(nsNodeId)} title={relativeTime(reportedAt)}>
                {" "}
                <a class="link" href={linkTo(["resource", "NSNode", nsNodeId])}>{nsNodeName || String(nsNodeId)}</a>
              </span>
            ))}
          </>
        )}
      </td>
      <td class="row-actions">
        {isLeftOut && mayCall("NSRecordService/updateNSRecordIsUp") && (
          <button
            type="button"
            class="btn quiet"
            aria-label={fill(text.returnOf, { name: `${name} ${type} ${value}` })}
            onClick={() => onReturn(state)}
          >
            {text.return}
          </button>
        )}
      </td>
    </tr>
  );
}
