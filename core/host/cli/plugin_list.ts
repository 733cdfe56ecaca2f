import { parseArgs } from "node:util";
import { tablesOf } from "../../plugin_api/plugin.ts";
import { callersText, type Operation } from "../../calls/operation.ts";
import { formatOf, formatted } from "../api_cli/output.ts";
import type { Settings } from "../settings/settings.ts";
import { trialBoot } from "./trial_boot.ts";

/** A plugin of an installation, as JSON and YAML show it. */
interface ListedPlugin {
  readonly use: string;
  readonly state: "enabled" | "disabled";
  readonly name?: string;
  readonly version?: string;
  readonly tables?: readonly string[];
  readonly services?: readonly { readonly name: string; readonly operations: readonly ListedOperation[] }[];
}

interface ListedOperation {
  readonly path: string;
  readonly effect: string;
  readonly callers: string;
}

/**
 * Lists the plugins of an installation with their tables and operations, and then the disabled ones.
 *
 * @param args `--output json` or `--output yaml` for other programs
 */
export async function pluginList(settings: Settings, args: readonly string[] = []): Promise<string[]> {
  const { values: { output } } = parseArgs({ args: [...args], options: { output: { type: "string", short: "o" } } });
  const format = formatOf(output ?? "table");
  const listed = await listedPlugins(settings);
  return format === "table" ? listed.flatMap(linesOf) : [await formatted({ plugins: listed }, format)];
}

async function listedPlugins(settings: Settings): Promise<readonly ListedPlugin[]> {
  const disabled = settings.plugins.filter((entry) => entry.disabled);
  const enabled = settings.plugins.filter((entry) => !entry.disabled);
  const running = await trialBoot(settings, (plugins, kernel) => {
    const byService = Map.groupBy(kernel.operations.all, ({ method }) => method.parent.name);
    return plugins.map(({ plugin }, index): ListedPlugin => {
      const { name, version, services } = plugin.manifest;
      return {
        ...{ use: enabled[index]!.use, state: "enabled", name, version, tables: tablesOf(plugin) },
        services: services.map((service) => ({
          name: service,
          operations: (byService.get(service) ?? []).map(listedOperation),
        })),
      };
    });
  });
  return [...running, ...disabled.map(({ use }): ListedPlugin => ({ use, state: "disabled" }))];
}

function listedOperation(operation: Operation): ListedOperation {
  return { path: operation.path, effect: operation.effect, callers: callersText(operation) };
}

function linesOf({ use, state, name, version, tables = [], services = [] }: ListedPlugin): string[] {
  if (state === "disabled") return [`${use}; disabled`];
  return [
    `${name} ${version}; tables: ${tables.join(", ") || "none"}`,
    ...services.flatMap((service) => [`  ${service.name}`, ...service.operations.map(operationLine)]),
  ];
}

function operationLine({ path, effect, callers }: ListedOperation): string {
  return `    ${path.split("/")[2]!.padEnd(44)} ${effect.padEnd(8)} ${callers}`;
}
