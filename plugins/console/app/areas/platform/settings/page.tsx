import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { loadPlugins, type PluginInfo, PLUGINS, SETTINGS } from "../installation.ts";
import { descriptionOf } from "../plugins/descriptions.ts";
import { SettingList } from "../plugins/setting_list.tsx";
import { servedForms, SettingsForm } from "./form.tsx";
import { texts } from "./texts.ts";

/** The settings that are kept in the database, as forms, and those of the installation manifest. */
export default function SettingsPage(): JSX.Element {
  const { value: text } = texts;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
      </div>
      {servedForms().map((form) => <SettingsForm key={form.update} form={form} />)}
      {mayCall(PLUGINS) && mayCall(SETTINGS) && <Configuration />}
    </>
  );
}

function Configuration(): JSX.Element {
  const plugins = useLoaded(
    async (signal) => (await loadPlugins(signal)).filter(({ countSettings }) => countSettings > 0),
    [],
  );
  const { value: text } = texts;
  return (
    <>
      <h2 class="related">{text.configuration}</h2>
      <p class="dim">{text.configurationHelp}</p>
      {plugins.error !== undefined && <Failure error={plugins.error} onRetry={plugins.reload} />}
      {plugins.value === undefined && plugins.error === undefined && <Skeleton rows={6} />}
      {plugins.value?.map((plugin) => <PluginSettings key={plugin.name} plugin={plugin} />)}
    </>
  );
}

function PluginSettings({ plugin }: { plugin: PluginInfo }): JSX.Element {
  return (
    <section class="panel plugin-settings" aria-label={plugin.name}>
      <h3>
        <a class="link mono" href={linkTo(["plugins", plugin.name])}>{plugin.name}</a>{" "}
        <span class="dim">{descriptionOf(plugin)}</span>
      </h3>
      <SettingList pluginName={plugin.name} />
    </section>
  );
}
