import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { goTo, linkTo, route } from "../../../shell/route.ts";
import { count, relativeTime, texts as shared, time } from "../../../texts/mod.ts";
import { LogDetails } from "./details.tsx";
import { ExportButtons } from "./export_buttons.tsx";
import { AuditFilters } from "./filters.tsx";
import { type AuditFilter, type AuditLog, filterIn, loadAudit, SIZE } from "./logs.ts";
import { texts } from "./texts.ts";
import { Who } from "./who.tsx";

const KINDS: Readonly<Record<string, "idle" | "warn" | "bad">> = { info: "idle", warn: "warn", error: "bad" };

/** What people did in consoles, and what the kernel recorded. */
export default function AuditPage(): JSX.Element {
  const { parameters } = route.value;
  const filter = filterIn(parameters);
  const offset = Number(parameters.get("offset") ?? 0);
  const { value: text } = texts;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        <ExportButtons filter={filter} />
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        <AuditFilters filter={filter} />
        <Records key={JSON.stringify([filter, offset])} filter={filter} offset={offset} />
      </div>
    </>
  );
}

function Records({ filter, offset }: { filter: AuditFilter; offset: number }): JSX.Element {
  const [opened, setOpened] = useState<AuditLog>();
  const page = useLoaded((signal) => loadAudit(filter, offset, signal), []);
  const { value: text } = texts;
  if (page.error !== undefined) return <Failure error={page.error} onRetry={page.reload} />;
  if (page.value === undefined) return <Skeleton rows={10} />;
  const { logs, total } = page.value;
  const isFiltered = Object.values(filter).some((value) => value !== "");
  if (logs.length === 0 && offset === 0) return <p class="empty">{isFiltered ? text.noMatch : text.empty}</p>;
  const move = (to: number) => goTo(linkTo(["audit"], { ...filter, offset: to > 0 ? String(to) : "" }));
  return (
    <>
      <div class="scroll">
        <table class="list audit">
          <thead>
            <tr>
              <th>{text.time}</th>
              <th>{text.who}</th>
              <th>{text.level}</th>
              <th>{text.what}</th>
              <th>{text.action}</th>
              <th>{text.address}</th>
            </tr>
          </thead>
          <tbody>
            {logs.map((log) => (
              <tr key={log.id}>
                <td title={time(log.createdAt)}>{relativeTime(log.createdAt)}</td>
                <td>
                  <Who log={log} />
                </td>
                <td>
                  <State kind={KINDS[log.level] ?? "idle"} text={text.levels[log.level as "info"] ?? log.level} />
                </td>
                <td class="what">
                  <button type="button" class="link" onClick={() => setOpened(log)}>
                    {log.description || text.erased}
                  </button>{" "}
                  {log.source === "audit" && <span class="dim">{text.audited}</span>}
                </td>
                <td class="mono">{log.action}</td>
                <td class="mono">{log.ip}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="pager">
        <span class="dim" role="status">
          {count(offset + 1)}–{count(offset + logs.length)}
          {total !== undefined && ` ${shared.value.of} ${count(total)}`}
        </span>
        <span class="sp" />
        <button type="button" class="btn" disabled={offset === 0} onClick={() => move(offset - SIZE)}>
          {shared.value.previous}
        </button>
        <button
          type="button"
          class="btn"
          disabled={total === undefined ? logs.length < SIZE : offset + logs.length >= total}
          onClick={() => move(offset + SIZE)}
        >
          {shared.value.next}
        </button>
      </div>
      {opened && <LogDetails log={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
