import { tablesOf } from "../../plugin_api/plugin.ts";
import { callersText, type Operation } from "../../calls/operation.ts";
import type { Settings } from "../settings/settings.ts";
import { trialBoot } from "./trial_boot.ts";

/** Lists the plugins of an installation with their tables and operations, and then the disabled ones. */
export async function pluginList(settings: Settings): Promise<string[]> {
  const disabled = settings.plugins.filter((entry) => entry.disabled).map(({ use }) => `${use}; disabled`);
  const enabled = await trialBoot(settings, (plugins, kernel) => {
    const byService = Map.groupBy(kernel.operations.all, ({ method }) => method.parent.name);
    return plugins.flatMap(({ plugin }) => {
      const { name, version, services } = plugin.manifest;
      const operationsOf = (service: string) => (byService.get(service) ?? []).map(operationLine);
      return [
        `${name} ${version}; tables: ${tablesOf(plugin).join(", ") || "none"}`,
        ...services.flatMap((service) => [`  ${service}`, ...operationsOf(service)]),
      ];
    });
  });
  return [...enabled, ...disabled];
}

function operationLine(operation: Operation): string {
  const { path, effect } = operation;
  return `    ${path.split("/")[2]!.padEnd(44)} ${effect.padEnd(8)} ${callersText(operation)}`;
}
