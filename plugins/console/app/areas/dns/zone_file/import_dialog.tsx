import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Dialog } from "../../../parts/dialog.tsx";
import { messageOf } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { count, texts as common } from "../../../texts/mod.ts";
import { fill } from "../../../texts/fill.ts";
import { texts } from "../texts.ts";
import { type FileRecord, parseFile } from "./parse.ts";
import { type Preview, previewOf } from "./preview.ts";

export interface ImportProps {
  readonly domain: { readonly id: bigint; readonly name: string };
  /** The types of the records of the domain itself; the cluster answers SOA and NS of a domain that has none. */
  readonly ownTypes: ReadonlySet<string>;
  readonly onClose: () => void;
  readonly onDone: (summary: string) => void;
}

interface Outcome {
  readonly countCreated: bigint;
  readonly countUpdated: bigint;
  readonly countSkipped: bigint;
  readonly countRemoved: bigint;
  readonly problems: readonly { readonly line: bigint; readonly message: string }[];
}

const MAX_ROWS = 200;

/** Imports a zone file, after it showed what this adds, changes and removes. */
export function ImportDialog({ domain, ownTypes, onClose, onDone }: ImportProps): JSX.Element {
  const { value: text } = texts;
  const zone = useLoaded(
    (signal) => callPath("NSZoneFileService/exportNSZoneFile", { nsDomainId: domain.id }, signal),
    [domain.id],
  );
  const [file, setFile] = useState("");
  const [isReplacing, setReplacing] = useState(false);
  const [isSending, setSending] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const before = useMemo(() => parseFile(String(zone.value?.["zoneFile"] ?? ""), domain.name), [zone.value]);
  const after = useMemo(() => parseFile(file, domain.name), [file]);
  const preview = useMemo(() => {
    const isImplied = ({ name, type }: FileRecord) =>
      ["SOA", "NS"].includes(type) && name === `${domain.name}.` && !ownTypes.has(type);
    return previewOf({ records: before.records, isImplied }, after.records, isReplacing);
  }, [before, after, isReplacing]);
  const edit = (changed: string) => {
    setFile(changed);
    setProblems([]);
  };
  async function send(): Promise<void> {
    setSending(true);
    try {
      const request = { nsDomainId: domain.id, zoneFile: file, replace: isReplacing };
      const outcome = await callPath("NSZoneFileService/importNSZoneFile", request) as unknown as Outcome;
      if (outcome.problems.length === 0) onDone(summaryOf(outcome));
      else setProblems(outcome.problems.map(({ line, message }) => `${lineText(line)}: ${message}`));
    } catch (error) {
      setProblems([messageOf(error)]);
    } finally {
      setSending(false);
    }
  }
  const shown = problems.length > 0 ? problems : after.badLines.map((line) => `${lineText(line)}: ${text.badLine}`);
  return (
    <Dialog title={fill(text.importTitle, { domain: domain.name })} onClose={onClose}>
      <p class="dim">{text.importHelp}</p>
      <label class="field wide">
        {text.zoneText}
        <textarea
          class="mono"
          rows={9}
          spellcheck={false}
          aria-invalid={shown.length > 0}
          value={file}
          onInput={(event) => edit(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        {text.chooseFile}
        <input
          type="file"
          accept=".zone,.db,.txt,text/plain"
          onChange={(event) => event.currentTarget.files?.[0]?.text().then(edit)}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={isReplacing} onChange={(event) => setReplacing(event.currentTarget.checked)} />
        {` ${text.replace}`}
      </label>
      <p class="dim">{text.replaceHelp}</p>
      {shown.length > 0 && (
        <ul class="problems" role="alert">
          {shown.slice(0, MAX_ROWS).map((problem) => <li key={problem}>{problem}</li>)}
        </ul>
      )}
      {zone.error !== undefined && <p class="error" role="alert">{messageOf(zone.error)}</p>}
      {file.trim() !== "" && zone.value !== undefined && <PreviewTable preview={preview} />}
      <div class="actions">
        <button type="button" class="btn" onClick={onClose}>{common.value.cancel}</button>
        <button
          type="button"
          class="btn primary"
          disabled={isSending || preview.rows.length === 0 || after.badLines.length > 0}
          onClick={send}
        >
          {text.importVerb}
        </button>
      </div>
    </Dialog>
  );
}

function PreviewTable({ preview: { rows, kept } }: { preview: Preview }): JSX.Element {
  const { value: text } = texts;
  const words = { new: text.added, changed: text.changed, gone: text.removed };
  const totals = (["new", "changed", "gone"] as const)
    .map((kind) => [rows.filter((row) => row.kind === kind).length, words[kind]] as const)
    .filter(([total]) => total > 0).map(([total, word]) => `${count(total)} ${word}`);
  return (
    <section aria-live="polite">
      <h2>{text.preview}</h2>
      <p class="dim">
        {rows.length === 0 ? text.previewNothing : [...totals, fill(text.kept, { n: count(kept) })].join(", ")}
      </p>
      <div class="preview" tabIndex={0} role="region" aria-label={text.preview}>
        <table class="changes">
          <tbody>
            {rows.slice(0, MAX_ROWS).map(({ kind, record }) => (
              <tr key={`${kind} ${record.name} ${record.type} ${record.data}`} class={kind}>
                <td>{words[kind]}</td>
                <td class="mono">{record.name}</td>
                <td>{record.type}</td>
                <td class="mono data">{record.data}</td>
                <td class="num">{record.ttl}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MAX_ROWS && <p class="dim">{fill(text.previewMore, { n: count(rows.length - MAX_ROWS) })}</p>}
    </section>
  );
}

function lineText(line: number | bigint): string {
  return fill(texts.value.line, { n: count(line) });
}

function summaryOf({ countCreated, countUpdated, countRemoved, countSkipped }: Outcome): string {
  return fill(texts.value.importDone, {
    created: count(countCreated),
    updated: count(countUpdated),
    deleted: count(countRemoved),
    skipped: count(countSkipped),
  });
}
