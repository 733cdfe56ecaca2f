import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Resource } from "../../../api/resources.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Failure, messageOf } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { count, plural, texts } from "../../../texts/mod.ts";
import {
  type EditableField,
  type EditedRow,
  newRow,
  stateOf,
  summaryOf,
  unchangedRow,
  withField,
  zoneText,
} from "./changes.ts";
import { loadRecords, sendChanges } from "./send.ts";

const TYPES = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "CAA", "PTR", "SOA", "HTTPS", "SVCB"];

interface ZoneEditorProps {
  readonly records: Resource;
  readonly domain: { readonly id: bigint; readonly name: string };
}

/** The records of a domain, edited in place: changes are collected, shown, and sent together. */
export function ZoneEditor({ records, domain }: ZoneEditorProps): JSX.Element {
  const loaded = useLoaded((signal) => loadRecords(records, domain.id, signal), [domain.id]);
  const [rows, setRows] = useState<readonly EditedRow[]>([]);
  const [filter, setFilter] = useState("");
  const [type, setType] = useState("");
  const [failed, setFailed] = useState<{ readonly key: string; readonly error: unknown }>();
  const [isZoneShown, setZoneShown] = useState(false);
  const original = loaded.value?.map(unchangedRow) ?? [];
  useEffect(() => setRows(original), [loaded.value]);
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;

  const types = [...new Set(rows.flatMap(({ after, before }) => (after ?? before)?.type ?? []))];
  const shown = rows.filter((row) => matches(row, filter, type));
  const replace = (row: EditedRow) =>
    setRows(rows.flatMap((other) => other.key === row.key ? isNothing(row) ? [] : [row] : [other]));
  async function apply(): Promise<void> {
    const sent = await sendChanges(records, domain.id, rows);
    setRows(sent.rows);
    setFailed(sent.failed);
  }
  return (
    <>
      <div class="panel">
        <div class="bar">
          <input
            type="search"
            class="find"
            placeholder={texts.value.filter}
            aria-label={texts.value.filter}
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
                {one === "" ? texts.value.all : one}
              </button>
            ))}
          <span class="sp" />
          {records.create && loaded.value !== undefined && (
            <button
              type="button"
              class="btn primary"
              onClick={() => setRows([newRow(), ...rows])}
            >
              {texts.value.addRecord}
            </button>
          )}
        </div>
        {rows.length === 0
          ? <p class="empty">{loaded.isLoading ? texts.value.loading : texts.value.empty}</p>
          : (
            <table class="zone">
              <thead>
                <tr>
                  <th>{texts.value.name}</th>
                  <th>{texts.value.type}</th>
                  <th>{texts.value.value}</th>
                  <th class="num">TTL</th>
                  <th>{texts.value.routes}</th>
                  <th>
                    <span class="hidden">{texts.value.remove}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((row) => (
                  <ZoneRow
                    key={row.key}
                    row={row}
                    error={failed?.key === row.key ? messageOf(failed.error) : undefined}
                    onChange={replace}
                  />
                ))}
              </tbody>
            </table>
          )}
      </div>
      <ChangesDock
        rows={rows}
        error={failed && messageOf(failed.error)}
        onDiscard={() => {
          setRows(original);
          setFailed(undefined);
        }}
        onShow={() => setZoneShown(true)}
        onApply={apply}
      />
      {isZoneShown && (
        <Dialog title={texts.value.zoneFile} onClose={() => setZoneShown(false)}>
          <pre class="code">{zoneText(domain.name, rows)}</pre>
        </Dialog>
      )}
    </>
  );
}

interface ZoneRowProps {
  readonly row: EditedRow;
  readonly error: string | undefined;
  readonly onChange: (row: EditedRow) => void;
}

function ZoneRow({ row, error, onChange }: ZoneRowProps): JSX.Element {
  const record = row.after ?? row.before!;
  const isGone = row.after === undefined;
  const field = (name: EditableField, label: string) => (
    <input
      class={name === "ttl" || name === "mxPriority" ? "cell mono num" : "cell mono"}
      aria-label={label}
      aria-invalid={error !== undefined}
      disabled={isGone}
      value={String(record[name])}
      onInput={(event) => onChange(withField(row, name, event.currentTarget.value))}
    />
  );
  return (
    <>
      <tr class={stateOf(row)}>
        <td>{field("name", texts.value.name)}</td>
        <td>
          <select
            class="cell"
            aria-label={texts.value.type}
            disabled={isGone}
            value={record.type}
            onChange={(event) => onChange(withField(row, "type", event.currentTarget.value))}
          >
            {TYPES.map((type) => <option key={type}>{type}</option>)}
          </select>
        </td>
        <td class="fill">
          <div class="filled">
            {record.type === "MX" && field("mxPriority", texts.value.priority)}
            {field("value", texts.value.value)}
          </div>
        </td>
        <td class="num">{field("ttl", "TTL")}</td>
        <td class="dim">{record.nsRouteCodes.join(", ")}</td>
        <td class="num">
          {isGone
            ? (
              <button type="button" class="btn quiet" onClick={() => onChange({ ...row, after: row.before })}>
                {texts.value.undo}
              </button>
            )
            : (
              <button
                type="button"
                class="btn quiet"
                aria-label={`${texts.value.remove} ${record.name} ${record.type}`}
                onClick={() => onChange({ ...row, after: undefined })}
              >
                ✕
              </button>
            )}
        </td>
      </tr>
      {error !== undefined && (
        <tr>
          <td colSpan={6}>
            <p class="error" role="alert">{error}</p>
          </td>
        </tr>
      )}
    </>
  );
}

interface DockProps {
  readonly rows: readonly EditedRow[];
  readonly error: string | undefined;
  readonly onDiscard: () => void;
  readonly onShow: () => void;
  readonly onApply: () => Promise<void>;
}

/** Counts the changes, and offers to send them or to drop them. */
function ChangesDock({ rows, error, onDiscard, onShow, onApply }: DockProps): JSX.Element | null {
  const [isSending, setSending] = useState(false);
  const { new: added, changed, gone } = summaryOf(rows);
  const total = added + changed + gone;
  if (total === 0) return null;
  const send = () => {
    setSending(true);
    onApply().finally(() => setSending(false));
  };
  return (
    <div class="dock" role="status">
      <b>{plural(texts.value.changes, total)}</b>
      {error === undefined
        ? (
          <span class="dim">
            {texts.value.changeKinds.replace("{added}", count(added)).replace("{changed}", count(changed)).replace(
              "{gone}",
              count(gone),
            )}
          </span>
        )
        : <span class="error">{error}</span>}
      <span class="sp" />
      <button type="button" class="btn quiet" onClick={onDiscard}>{texts.value.discard}</button>
      <button type="button" class="btn" onClick={onShow}>{texts.value.zoneFile}</button>
      <button type="button" class="btn primary" disabled={isSending} onClick={send}>{texts.value.applyChanges}</button>
    </div>
  );
}

/** True for a row that was added and removed again. */
function isNothing({ before, after }: EditedRow): boolean {
  return before === undefined && after === undefined;
}

function matches({ before, after }: EditedRow, filter: string, type: string): boolean {
  const record = (after ?? before)!;
  const text = `${record.name} ${record.type} ${record.value}`.toLowerCase();
  return (type === "" || record.type === type) && text.includes(filter.trim().toLowerCase());
}
