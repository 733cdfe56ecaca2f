import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../../parts/failure.tsx";
import { fill } from "../../../texts/fill.ts";
import { count, plural } from "../../../texts/mod.ts";
import { csvOf, jsonOf } from "./export.ts";
import { type AuditFilter, loadAll, MAX_EXPORTED } from "./logs.ts";
import { texts } from "./texts.ts";

const FORMATS = {
  csv: { write: csvOf, type: "text/csv" },
  json: { write: jsonOf, type: "application/json" },
} as const;

/** Writes what the filter finds into a file. */
export function ExportButtons({ filter }: { filter: AuditFilter }): JSX.Element {
  const [note, setNote] = useState("");
  const [isWriting, setWriting] = useState(false);
  const { value: text } = texts;
  async function write(format: keyof typeof FORMATS): Promise<void> {
    setWriting(true);
    setNote("");
    try {
      const logs = await loadAll(filter);
      const { write, type } = FORMATS[format];
      save(`audit.${format}`, write(logs), type);
      const isCut = logs.length >= MAX_EXPORTED;
      setNote(isCut ? fill(text.cut, { n: count(MAX_EXPORTED) }) : plural(text.written, logs.length));
    } catch (error) {
      setNote(messageOf(error));
    }
    setWriting(false);
  }
  return (
    <>
      <span class="dim" role="status">{note}</span>
      {(["csv", "json"] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="btn"
          disabled={isWriting}
          onClick={() => write(format)}
        >
          {text.formats[format]}
        </button>
      ))}
    </>
  );
}

function save(name: string, content: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
