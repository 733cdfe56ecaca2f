import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { linkTo } from "../../../shell/route.ts";
import { count, plural } from "../../../texts/mod.ts";
import { loadPlugins, type PluginInfo } from "../installation.ts";
import { descriptionOf } from "./descriptions.ts";
import { PluginDetails } from "./details.tsx";
import { texts } from "./texts.ts";

/** The plugins that run, or one of them. */
export default function PluginsPage({ steps: [name] }: { readonly steps: readonly string[] }): JSX.Element {
  const plugins = useLoaded(loadPlugins, []);
  const { value: text } = texts;
  if (plugins.error !== undefined) return <Failure error={plugins.error} onRetry={plugins.reload} />;
  if (plugins.value === undefined) return <Skeleton rows={10} />;
  if (name !== undefined) return <PluginDetails name={name} plugins={plugins.value} />;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
      </div>
      <p class="sub">{text.help}</p>
      <PluginList plugins={plugins.value} />
    </>
  );
}

function PluginList({ plugins }: { plugins: readonly PluginInfo[] }): JSX.Element {
  const [typed, setTyped] = useState("");
  const { value: text } = texts;
  const wanted = typed.trim().toLowerCase();
  const shown = plugins.filter((plugin) =>
    [plugin.name, descriptionOf(plugin), ...plugin.services].some((part) => part.toLowerCase().includes(wanted))
  );
  return (
    <div class="panel">
      <div class="bar" role="search">
        <input
          type="search"
          class="find"
          aria-label={text.find}
          placeholder={text.find}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <span class="dim" role="status">{plural(text.shown, shown.length)}</span>
      </div>
      {shown.length === 0 ? <p class="empty">{text.none}</p> : (
        <div class="scroll">
          <table class="list plugins">
            <thead>
              <tr>
                <th>{text.plugin}</th>
                <th>{text.description}</th>
                <th>{text.version}</th>
                <th class="num">{text.operations}</th>
                <th class="num">{text.jobs}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((plugin) => (
                <tr key={plugin.name}>
                  <td>
                    <a class="link main mono" href={linkTo(["plugins", plugin.name])}>{plugin.name}</a>
                  </td>
                  <td class="wrapped">{descriptionOf(plugin)}</td>
                  <td>{plugin.version}</td>
                  <td class="num">{plugin.countOperations > 0 && count(plugin.countOperations)}</td>
                  <td class="num">{plugin.countJobs > 0 && count(plugin.countJobs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
