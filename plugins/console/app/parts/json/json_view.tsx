import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { words } from "../../shell/names.ts";
import { texts } from "../../texts/mod.ts";
import { Flag } from "../flag.tsx";
import { amountText, isAmount, numberText } from "./number_text.ts";
import { Secret } from "../secrets/secret.tsx";
import { isSecretIn, withoutSecrets } from "../secrets/secret_names.ts";
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
        <Raw value={value} />
      </details>
    </div>
  );
}

/** The text of JSON, with dots in place of its secrets until they are asked for. */
function Raw({ value }: { value: Json }): JSX.Element {
  const [isShown, show] = useState(false);
  const [whole, hidden] = [written(value), written(withoutSecrets(value))];
  return (
    <>
      <pre>{isShown ? whole : hidden}</pre>
      {whole !== hidden && (
        <button type="button" class="quiet" onClick={() => show(!isShown)}>
          {isShown ? texts.value.hide : texts.value.show}
        </button>
      )}
    </>
  );
}

/** True if the JSON says nothing: null, or without a single value that is not empty. */
export function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.values(value).every(isEmpty);
  return value === null || value === "" || value === 0;
}

function Part({ name = "", value, depth }: { name?: string; value: Json; depth: number }): JSX.Element {
  if (depth > MAX_DEPTH) return <code>{JSON.stringify(withoutSecrets(value))}</code>;
  if (isAmount(value)) return <>{amountText(value)}</>;
  if (typeof value === "number") return <>{numberText(name, value)}</>;
  if (isObject(value)) return <Fields value={value} depth={depth} />;
  if (!Array.isArray(value)) return <Plain value={value} />;
  const objects = value.filter(isObject);
  if (objects.length < value.length) {
    return <>{value.map((item) => isObject(item) ? written(withoutSecrets(item)) : item).join(", ")}</>;
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
            <Own object={value} name={name} depth={depth + 1} />
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
              {names.map((name) => (
                <td key={name}>
                  <Own object={row} name={name} depth={depth + 1} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The value of one field of an object; a secret is hidden until it is asked for. */
function Own({ object, name, depth }: { object: JsonObject; name: string; depth: number }): JSX.Element {
  const own = object[name] ?? null;
  if (isSecretIn(object, name)) return <Secret value={typeof own === "string" ? own : JSON.stringify(own)} />;
  return typeof own === "boolean" ? <Flag name={name} value={own} /> : <Part name={name} value={own} depth={depth} />;
}

function Plain({ value }: { value: Json }): JSX.Element {
  if (typeof value === "boolean") return <>{value ? texts.value.yes : texts.value.no}</>;
  return <>{value === null ? "" : String(value)}</>;
}
