import { providerOf } from "../../base/contract.ts";
import type { Plugin } from "../../plugin_api/plugin.ts";

/**
 * Sorts plugins so that each comes after the providers of its contracts, and otherwise in the order of the manifest.
 *
 * @param errors receives a line for each cycle and each missing provider
 */
export function orderPlugins(
  plugins: readonly Plugin[],
  kernelContracts: ReadonlySet<string>,
  errors: string[],
): Plugin[] {
  const byName = new Map(plugins.map((plugin) => [plugin.manifest.name, plugin]));
  const ordered: Plugin[] = [];
  const state = new Map<string, "open" | "done">();

  function visit(plugin: Plugin, path: readonly string[]): void {
    const { name } = plugin.manifest;
    if (state.get(name) === "done") return;
    if (state.get(name) === "open") {
      const cycle = [...path.slice(path.indexOf(name)), name];
      errors.push(`plugins require each other in a cycle: ${cycle.join(" -> ")}`);
      return;
    }
    state.set(name, "open");
    for (const contract of Object.values(plugin.requires ?? {})) {
      if (kernelContracts.has(contract.id)) continue;
      const provider = byName.get(providerOf(contract));
      if (provider !== undefined) visit(provider, [...path, name]);
      else if (!contract.optional) {
        errors.push(`plugin "${name}" requires contract "${contract.id}", which no enabled plugin provides`);
      }
    }
    state.set(name, "done");
    ordered.push(plugin);
  }

  for (const plugin of plugins) visit(plugin, []);
  return ordered;
}
