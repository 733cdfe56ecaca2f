import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { JsonView } from "../../../parts/json/json_view.tsx";
import { isObject, type Json, parsed } from "../../../parts/json/value.ts";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { commentOf } from "../../../shell/state.ts";
import { texts as shared } from "../../../texts/mod.ts";
import { loadSettings } from "../installation.ts";
import { texts } from "./texts.ts";

/** The configuration of a plugin in the installation manifest. */
export function SettingList({ pluginName }: { pluginName: string }): JSX.Element {
  const settings = useLoaded((signal) => loadSettings(pluginName, signal), [pluginName]);
  const { value: text } = texts;
  if (settings.error !== undefined) return <Failure error={settings.error} onRetry={settings.reload} />;
  if (settings.value === undefined) return <Skeleton rows={3} />;
  return (
    <ul class="settings">
      {settings.value.map(({ name, value, description, fullName }) => (
        <li key={name}>
          <code>{name}</code>{" "}
          {value === "" ? <span class="dim">{text.notSet}</span> : <SettingValue value={parsed(value) ?? value} />}
          <p class="help">{commentOf(fullName) || description}</p>
        </li>
      ))}
    </ul>
  );
}

function SettingValue({ value }: { value: Json }): JSX.Element {
  if (typeof value === "boolean") return <b>{value ? shared.value.yes : shared.value.no}</b>;
  if (isObject(value)) return <JsonView value={value} />;
  if (!Array.isArray(value)) return <b class="mono">{String(value)}</b>;
  return value.some(isObject) ? <JsonView value={value} /> : <b class="mono">{value.join(", ")}</b>;
}
