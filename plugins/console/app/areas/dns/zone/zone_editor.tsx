import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Dialog } from "../../../parts/dialog.tsx";
import { useDeferred } from "../../../parts/deferred.ts";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { count, plural, texts as common } from "../../../texts/mod.ts";
import { texts } from "../texts.ts";
import { type EditedRow, newRow, stateOf, unchangedRow, zoneText } from "./changes.ts";
import { ChangesDock } from "./changes_dock.tsx";
import { FileButtons } from "./file_buttons.tsx";
import { moveByKey } from "./keyboard.ts";
import { loadRecords, type Problem, type RecordOperations, sendChanges, type Zone } from "./send.ts";
import { ZoneRow } from "./zone_row.tsx";

const PAGE = 50;
const NO_PROBLEMS: ReadonlyMap<string, Problem> = new Map();

interface ZoneEditorProps {
  readonly records: RecordOperations;
  readonly domain: Zone;
}

/** The records of a domain, edited in place: changes are collected, shown, and sent together. */
export function ZoneEditor({ records, domain }: ZoneEditorProps): JSX.Element {
  const loaded = useLoaded((signal) => loadRecords(records, domain.id, signal), [domain.id]);
  const original = useMemo(() => loaded.value?.map(unchangedRow) ?? [], [loaded.value]);
  const [rows, setRows] = useState<readonly EditedRow[]>([]);
  const [filter, setFilter] = useState("");
  const [type, setType] = useState("");
  const [page, setPage] = useState(0);
  const filtered = useDeferred(filter);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [sentCount, setSentCount] = useState<number>();
  const [isZoneShown, setZoneShown] = useState(false);
  const added = useRef<string>(undefined);
  useEffect(() => {
    setRows(original);
    setProblems(NO_PROBLEMS);
  }, [original]);
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === undefined) return <Skeleton rows={8} />;

  const types = [...new Set(rows.flatMap(({ after, before }) => (after ?? before)?.type ?? []))];
  const shown = rows.filter((row) => matches(row, filtered, type));
  const first = Math.min(page, Math.max(0, Math.ceil(shown.length / PAGE) - 1)) * PAGE;
  const isChanged = rows.some((row) => stateOf(row) !== "same");
  function replace(row: EditedRow): void {
    setRows((before) => before.flatMap((other) => other.key === row.key ? isNothing(row) ? [] : [row] : [other]));
    if (!problems.has(row.key)) return;
    setProblems(new Map([...problems].filter(([key]) => key !== row.key)));
  }
  function add(): void {
    const row = newRow();
    added.current = row.key;
    setFilter("");
    setType("");
    setPage(0);
    setRows([row, ...rows]);
  }
  async function apply(): Promise<void> {
    if (sentCount !== undefined) return;
    setSentCount(0);
    try {
      const sent = await sendChanges(records, domain, rows, setSentCount);
      setRows(sent.rows);
      setProblems(sent.problems);
    } catch {
      // the changes were sent, but not what became of them
      loaded.reload();
    } finally {
      setSentCount(undefined);
    }
  }
  return (
    <div
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && isChanged) apply();
      }}
    >
      <div class="panel">
        <div class="bar">
          <input
            type="search"
            class="find"
            placeholder={texts.value.filterRecords}
            aria-label={common.value.filter}
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
          {types.length > 1 &&
            ["", ...types].map((one) => (
              <button
                key={one}
                type="button"
                class={one === type ? "chip on" : "chip"}
                aria-pressed={one === type}
                onClick={() => setType(one)}
              >
                {one === "" ? common.value.all : one}
              </button>
            ))}
          <span class="sp" />
          <FileButtons
            domain={domain}
            ownTypes={new Set(original.flatMap(({ before }) => before?.name === "@" ? [before.type] : []))}
            isChanged={isChanged}
            onDone={loaded.reload}
          />
          {records.create && <button type="button" class="btn primary" onClick={add}>{common.value.addRecord}</button>}
        </div>
        {shown.length === 0
          ? <p class="empty">{rows.length === 0 ? texts.value.emptyZone : texts.value.emptyFilter}</p>
          : (
            <table class="zone" onKeyDown={moveByKey}>
              <thead>
                <tr>
                  <th>{common.value.name}</th>
                  <th>{common.value.type}</th>
                  <th>{common.value.value}</th>
                  <th class="num">TTL</th>
                  <th>{common.value.routes}</th>
                  <th>
                    <span class="hidden">{texts.value.more}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.slice(first, first + PAGE).map((row) => (
                  <ZoneRow
                    key={row.key}
                    row={row}
                    problem={problems.get(row.key)}
                    isFocused={added.current === row.key}
                    canRemove={records.remove !== undefined || row.before === undefined}
                    canEdit={row.before === undefined ? records.create !== undefined : records.update !== undefined}
                    onChange={replace}
                  />
                ))}
              </tbody>
            </table>
          )}
        <div class="pager">
          <span class="dim">{plural(texts.value.recordCount, shown.length)}</span>
          <span class="dim keys">{texts.value.keys}</span>
          <span class="sp" />
          {shown.length > PAGE && (
            <>
              <span class="dim">{`${count(first + 1)}–${count(Math.min(first + PAGE, shown.length))}`}</span>
              <button type="button" class="btn" disabled={first === 0} onClick={() => setPage(first / PAGE - 1)}>
                {common.value.previous}
              </button>
              <button
                type="button"
                class="btn"
                disabled={first + PAGE >= shown.length}
                onClick={() => setPage(first / PAGE + 1)}
              >
                {common.value.next}
              </button>
            </>
          )}
        </div>
      </div>
      <ChangesDock
        rows={rows}
        hasProblems={problems.size > 0}
        sentCount={sentCount}
        onDiscard={() => {
          setRows(rows.flatMap(({ before }) => before === undefined ? [] : [unchangedRow(before)]));
          setProblems(NO_PROBLEMS);
        }}
        onShow={() => setZoneShown(true)}
        onApply={apply}
      />
      {isZoneShown && (
        <Dialog title={common.value.zoneFile} onClose={() => setZoneShown(false)}>
          <pre class="code">{zoneText(domain.name, rows)}</pre>
        </Dialog>
      )}
    </div>
  );
}

/** True for a row that was added and removed again, or that is gone on both sides. */
function isNothing({ before, after }: EditedRow): boolean {
  return before === undefined && after === undefined;
}

function matches({ before, after }: EditedRow, filter: string, type: string): boolean {
  const record = (after ?? before)!;
  if (type !== "" && record.type !== type) return false;
  const wanted = filter.trim().toLowerCase();
  return wanted === "" || `${record.name} ${record.type} ${record.value}`.toLowerCase().includes(wanted);
}
