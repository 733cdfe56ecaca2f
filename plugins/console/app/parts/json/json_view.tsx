import type { JSX } from "preact";
import { words } from "../../shell/names.ts";
import { texts } from "../../texts/mod.ts";
import { Flag } from "../flag.tsx";
import { amountText, isAmount, numberText } from "./number_text.ts";
import { isObject, type Json, type JsonObject, written } from "./value.ts";

const MAX_DEPTH = 3;
const MAX_COLUMNS = 6;

/** JSON as people read it: fields with their names, lists as tables, and what is empty left out. */
export function JsonView({ value }: { value: Json }): JSX.Element {
  return (
    <div class="json-view">
      <Part value={value} depth={0} />
      <details>
        <summary>JSON</summary>
        <pre>{written(value)}</pre>
      </details>
    </div>
  );
}

/** True if the JSON says nothing: null, or without a single value that is not empty. */
export function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.values(value).every(isEmpty);
  return value === null || value === "" || value === 0;
}

function Part({ name = "", value, depth }: { name?: string; value: Json; depth: number }): JSX.Element {
  if (depth > MAX_DEPTH) return <code>{JSON.stringify(value)}</code>;
  if (isAmount(value)) return <>{amountText(value)}</>;
  if (typeof value === "number") return <>{numberText(name, value)}</>;
  if (isObject(value)) return <Fields value={value} depth={depth} />;
  if (!Array.isArray(value)) return <Plain value={value} />;
  const objects = value.filter(isObject);
  if (objects.length < value.length) {
    return <>{value.map((item) => isObject(item) ? written(item) : item).join(", ")}</>;
  }
  return <Table rows={objects} depth={depth} />;
}

function Fields({ value, depth }: { value: JsonObject; depth: number }): JSX.Element {
  const shown = Object.entries(value).filter(([, own]) => !isEmpty(own));
  if (shown.length === 0) return <span class="dim">{texts.value.none}</span>;
  return (
    <dl>
      {shown.map(([name, own]) => (
        <div key={name} class={typeof own === "object" ? "wide" : undefined}>
          <dt>{words(name)}</dt>
          <dd>
            {typeof own === "boolean"
              ? <Flag name={name} value={own} />
              : <Part name={name} value={own} depth={depth + 1} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Table({ rows, depth }: { rows: readonly JsonObject[]; depth: number }): JSX.Element {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => !isEmpty(row[name]!))))];
  if (names.length > MAX_COLUMNS) {
    return (
      <ol>
        {rows.map((row, index) => (
          <li key={index}>
            <Fields value={row} depth={depth} />
          </li>
        ))}
      </ol>
    );
  }
  return (
    <div class="scroll">
      <table class="list">
        <thead>
          <tr>{names.map((name) => <th key={name}>{words(name)}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {names.map((name) => {
                const own = row[name] ?? null;
                return (
                  <td key={name}>
                    {typeof own === "boolean"
                      ? <Flag name={name} value={own} />
                      : <Part name={name} value={own} depth={depth + 1} />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Plain({ value }: { value: Json }): JSX.Element {
  if (typeof value === "boolean") return <>{value ? texts.value.yes : texts.value.no}</>;
  return <>{value === null ? "" : String(value)}</>;
}
