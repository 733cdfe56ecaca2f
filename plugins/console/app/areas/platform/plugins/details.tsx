import type { JSX } from "preact";
import { NotFound } from "../../../parts/not_found.tsx";
import { linkTo } from "../../../shell/route.ts";
import { mayCall, operations } from "../../../shell/state.ts";
import { count, texts as shared } from "../../../texts/mod.ts";
import { type PluginInfo, SETTINGS } from "../installation.ts";
import { descriptionOf } from "./descriptions.ts";
import { SettingList } from "./setting_list.tsx";
import { texts } from "./texts.ts";

interface DetailsProps {
  readonly name: string;
  readonly plugins: readonly PluginInfo[];
}

/** One plugin: what it serves, what it uses, and its configuration. */
export function PluginDetails({ name, plugins }: DetailsProps): JSX.Element {
  const plugin = plugins.find((candidate) => candidate.name === name);
  if (plugin === undefined) return <NotFound />;
  const { value: text } = texts;
  const usedBy = plugins.filter(({ uses }) => uses.includes(name)).map((other) => other.name);
  return (
    <>
      <div class="head">
        <h1 class="mono">{name}</h1>
        <span class="dim">{plugin.version}</span>
      </div>
      <p class="sub">{descriptionOf(plugin)}</p>
      <div class="panel">
        <dl>
          <div class="wide">
            <dt>{text.services}</dt>
            <dd>
              {plugin.services.length === 0
                ? <span class="dim">{shared.value.none}</span>
                : plugin.services.map((service) => <ServiceLink key={service} service={service} />)}
            </dd>
          </div>
          <div>
            <dt>{text.operations}</dt>
            <dd>{count(plugin.countOperations)}</dd>
          </div>
          <div>
            <dt>{text.jobs}</dt>
            <dd>
              {plugin.countJobs === 0
                ? count(0)
                : <a class="link" href={linkTo(["jobs"], { find: `${name}.` })}>{count(plugin.countJobs)}</a>}
            </dd>
          </div>
          <div>
            <dt>{text.modules}</dt>
            <dd>
              {plugin.modules.length === 0 ? <span class="dim">{shared.value.none}</span> : plugin.modules.join(", ")}
            </dd>
          </div>
          <div>
            <dt>{text.workers}</dt>
            <dd>{plugin.needsMachine ? text.partly : text.fully}</dd>
          </div>
          <PluginLinks title={text.uses} names={plugin.uses} />
          <PluginLinks title={text.usedBy} names={usedBy} />
        </dl>
      </div>
      {plugin.countSettings > 0 && mayCall(SETTINGS) && (
        <>
          <h2 class="related">{text.settings}</h2>
          <p class="dim">{text.settingsHelp}</p>
          <div class="panel">
            <SettingList pluginName={name} />
          </div>
        </>
      )}
    </>
  );
}

function PluginLinks({ title, names }: { title: string; names: readonly string[] }): JSX.Element | null {
  if (names.length === 0) return null;
  return (
    <div class="wide">
      <dt>{title}</dt>
      <dd class="links">
        {names.map((name) => <a key={name} class="link mono" href={linkTo(["plugins", name])}>{name}</a>)}
      </dd>
    </div>
  );
}

/** Leads to the first operation of a service in the explorer. */
function ServiceLink({ service }: { service: string }): JSX.Element {
  const first = operations.value.find(({ service: { name } }) => name === service);
  if (first === undefined) return <span class="mono">{service}</span>;
  return <a class="link mono" href={linkTo(["explorer", service, first.method.localName])}>{service}</a>;
}
