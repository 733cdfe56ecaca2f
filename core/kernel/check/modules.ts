import { COMMON_MODULE, type Module } from "../../base/modules.ts";
import type { PluginManifest } from "../../plugin_api/plugin_manifest.ts";

const CODE = /^[a-z][a-z0-9_]*$/;

/** Returns the modules that admins may be given: `common`, and those that plugins declare, sorted by code. */
export function modulesOf(manifests: readonly PluginManifest[]): readonly Module[] {
  const names = new Map<string, string>();
  for (const { modules = [] } of manifests) {
    for (const { code, name } of modules) names.set(code, name ?? names.get(code) ?? code);
  }
  const declared = [...names].map(([code, name]) => ({ code, name }));
  return [{ code: COMMON_MODULE, name: COMMON_MODULE }, ...declared.sort((a, b) => a.code < b.code ? -1 : 1)];
}

/** Checks the modules that plugins declare: their codes, and that no two plugins name one differently. */
export function checkModules(manifests: readonly PluginManifest[], errors: string[]): void {
  const named = new Map<string, { readonly plugin: string; readonly name: string }>();
  for (const { name: plugin, modules = [] } of manifests) {
    const codes = modules.map(({ code }) => code);
    for (const [index, { code, name }] of modules.entries()) {
      const at = `plugin "${plugin}": the module "${code}"`;
      if (!CODE.test(code)) errors.push(`${at} must be snake_case`);
      if (code === COMMON_MODULE) errors.push(`${at} is reserved: every admin has it`);
      if (codes.indexOf(code) !== index) errors.push(`${at} is declared twice`);
      if (name === undefined) continue;
      const other = named.get(code);
      if (other !== undefined && other.name !== name) {
        errors.push(`${at} is named "${name}", but plugin "${other.plugin}" names it "${other.name}"`);
      }
      named.set(code, { plugin, name });
    }
  }
}
