import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { route } from "../../../shell/route.ts";
import { fill } from "../../../texts/fill.ts";
import { plural } from "../../../texts/mod.ts";
import { type AccessLog, loadLogs, loadPartitions, type Position, secondsOf } from "./access_logs.ts";
import { Details } from "./details.tsx";
import { Filters } from "./filters.tsx";
import { useFollowing } from "./following.ts";
import { clockText, LogRows } from "./rows.tsx";
import { filterOf, isNarrow, type Search, searchIn } from "./search.ts";
import { texts } from "./texts.ts";
import { TimeLine } from "./time_line.tsx";

const NEWEST: Position = { cursor: "", isNewer: false, partition: -1 };

/** The search in access logs. */
export default function AccessLogsPage(): JSX.Element {
  const { parameters } = route.value;
  // the day of the search stays when the page is drawn again after midnight
  const search = useMemo(() => searchIn(parameters), [parameters]);
  const { value: text } = texts;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        <Filters search={search} />
        <Results key={JSON.stringify(search)} search={search} />
      </div>
    </>
  );
}

/** The logs that a search finds, one page at a time. */
function Results({ search }: { search: Search }): JSX.Element {
  const [position, setPosition] = useState(NEWEST);
  const [isFollowing, setFollowing] = useState(false);
  const [marked, setMarked] = useState<{ readonly from: number; readonly to: number }>();
  const [opened, setOpened] = useState<AccessLog>();
  const page = useLoaded((signal) => loadLogs(filterOf(search), position, signal), [position]);
  const partitions = useLoaded((signal) => loadPartitions(search.day, signal), []);
  const followed = useFollowing(search, position.partition, isFollowing ? page.value?.logs : undefined);
  const all = useMemo(() => [...followed.logs, ...page.value?.logs ?? []], [followed.logs, page.value]);
  useEffect(() => setMarked(undefined), [page.value]);
  const logs = useMemo(() => {
    if (marked === undefined) return all;
    return all.filter((log) => secondsOf(log) >= marked.from && secondsOf(log) < marked.to);
  }, [all, marked]);
  const { value: text } = texts;
  const go = (to: Partial<Position>) => {
    setFollowing(false);
    setPosition({ ...position, ...to });
  };
  const isFirst = position.cursor === "" && !isFollowing;
  const isEnd = page.value?.hasMore !== true;
  const error = page.error ?? followed.error;
  return (
    <>
      {(partitions.value?.length ?? 0) > 1 && (
        <Parts
          parts={partitions.value!}
          chosen={position.partition}
          onChoose={(partition) => go({ ...NEWEST, partition })}
        />
      )}
      {error !== undefined && <Failure error={error} onRetry={page.reload} />}
      {page.value === undefined && page.error === undefined && <Skeleton rows={10} />}
      {page.value !== undefined && (
        <>
          {all.length > 0 && <TimeLine logs={all} onSelect={(from, to) => setMarked({ from, to })} />}
          <div class="pager">
            <span class="dim" role="status">{plural(text.shown, logs.length)}</span>
            {marked && (
              <button type="button" class="chip on" onClick={() => setMarked(undefined)}>
                {fill(text.marked, { from: clockText(marked.from), to: clockText(marked.to) })} – {text.unmark}
              </button>
            )}
            <span class="sp" />
            <button
              type="button"
              class={isFollowing ? "chip on" : "chip"}
              aria-pressed={isFollowing}
              disabled={position.cursor !== ""}
              onClick={() => isFollowing ? (setFollowing(false), page.reload()) : setFollowing(true)}
            >
              {isFollowing ? text.following : text.follow}
            </button>
          </div>
          {logs.length === 0
            ? <p class="empty">{emptyText(search, position, isEnd)}</p>
            : <LogRows logs={logs} onOpen={setOpened} />}
          <div class="pager">
            <button
              type="button"
              class="btn"
              disabled={isFirst}
              onClick={() => isFollowing || position.cursor === "" ? go(NEWEST) : go({ cursor: "", isNewer: false })}
            >
              {text.newest}
            </button>
            <span class="sp" />
            <button
              type="button"
              class="btn"
              disabled={isFirst || (position.isNewer && isEnd)}
              onClick={() => go({ cursor: page.value!.logs[0]?.requestId ?? page.value!.cursor, isNewer: true })}
            >
              {text.newer}
            </button>
            <button
              type="button"
              class="btn"
              disabled={position.isNewer ? page.value.logs.length === 0 : isEnd}
              onClick={() =>
                go({
                  cursor: position.isNewer ? page.value!.logs.at(-1)!.requestId : page.value!.cursor,
                  isNewer: false,
                })}
            >
              {text.older}
            </button>
          </div>
        </>
      )}
      {opened && <Details log={opened} search={search} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function emptyText(search: Search, { isNewer }: Position, isEnd: boolean): string {
  const { value: text } = texts;
  if (isNewer && isEnd) return text.noMore;
  if (!isEnd) return text.unfinished;
  return isNarrow(search) ? text.noMatch : text.empty;
}

interface PartsProps {
  readonly parts: readonly number[];
  readonly chosen: number;
  readonly onChoose: (partition: number) => void;
}

/** The choice between the parts of a day with very many requests. */
function Parts({ parts, chosen, onChoose }: PartsProps): JSX.Element {
  const { value: text } = texts;
  return (
    <div class="bar">
      <label for="log-part">{text.part}</label>
      <select id="log-part" value={chosen} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
        {parts.map((part, index) => (
          <option key={part} value={index === 0 ? -1 : part}>
            {index === 0 ? text.latestPart : fill(text.partN, { n: part + 1 })}
          </option>
        ))}
      </select>
    </div>
  );
}
