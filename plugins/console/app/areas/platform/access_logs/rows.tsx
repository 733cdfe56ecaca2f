import type { JSX } from "preact";
import { State } from "../../../parts/state.tsx";
import { bytesText } from "../../../texts/amounts.ts";
import { language } from "../../../texts/mod.ts";
import { type AccessLog, kindOf, secondsOf } from "./access_logs.ts";
import { durationText } from "../duration.ts";
import { texts } from "./texts.ts";

/** The table of requests; a press on one shows all of it. */
export function LogRows(
  { logs, onOpen }: { logs: readonly AccessLog[]; onOpen: (log: AccessLog) => void },
): JSX.Element {
  const { value: text } = texts;
  return (
    <table class="list access-logs">
      <thead>
        <tr>
          <th>{text.time}</th>
          <th>{text.status}</th>
          <th>{text.request}</th>
          <th>{text.client}</th>
          <th class="num">{text.size}</th>
          <th class="num">{text.duration}</th>
        </tr>
      </thead>
      <tbody>
        {logs.map((log) => (
          <tr key={log.requestId}>
            <td title={exactTime(secondsOf(log))}>{clockText(secondsOf(log))}</td>
            <td>
              <State kind={kindOf(log.status)} text={String(log.status)} />
            </td>
            <td class="request">
              <button type="button" class="link mono" onClick={() => onOpen(log)}>
                <b>{log.requestMethod}</b> {log.host}
                {log.requestURI}
              </button>
            </td>
            <td class="mono">{log.remoteAddr}</td>
            <td class="num">{bytesText(log.bytesSent)}</td>
            <td class="num">{durationText(log.requestTime)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Formats the time of day with seconds. */
export function clockText(seconds: number): string {
  return new Intl.DateTimeFormat(language.value, { timeStyle: "medium" }).format(seconds * 1000);
}

/** Formats a time with its date, milliseconds and time zone. */
export function exactTime(seconds: number): string {
  return new Intl.DateTimeFormat(language.value, {
    ...{ year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" },
    ...{ fractionalSecondDigits: 3, timeZoneName: "short" },
  }).format(seconds * 1000);
}
