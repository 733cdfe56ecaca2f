import type { JsonValue } from "@bufbuild/protobuf";
import { PluginManifestSchema } from "../../proto/installation_pb.ts";
import { satisfies } from "semver";
import { RpcError } from "../base/errors.ts";
import { jsonCodec } from "../protobuf/json/codec.ts";
import { KERNEL_SCOPE } from "../storage/kernel_tables.ts";
import { orderPlugins } from "./order.ts";
import type { Plugin } from "../plugin_api/plugin.ts";
import { KERNEL_VERSION } from "../base/version.ts";

/** A plugin as the installation uses it. */
export interface PluginUse {
  readonly plugin: Plugin;
  /** Its configuration, as the installation manifest has it. */
  readonly config?: JsonValue | undefined;
  /** Where the manifest names it, for messages: `plugins[3]`. */
  readonly at: string;
  /** What its host module's `open` makes; undefined without a host. */
  readonly openHost?: ((config: unknown) => object) | undefined;
}

/** Plugins that passed every check, in the order in which they are set up. */
export interface CheckedPlugins {
  readonly ordered: readonly CheckedPlugin[];
  /** One line for each fault. */
  readonly problems: readonly string[];
}

export interface CheckedPlugin {
  readonly use: PluginUse;
  readonly config: unknown;
}

const NAME = /^[a-z][a-z0-9_]*$/;
const RESERVED_TABLE = /^(?:kernel|migration|sqlite)_/i;
const manifestCodec = jsonCodec(PluginManifestSchema, { unknownFields: "refuse" });

/** Checks everything that can be known before any plugin runs, and finds the order. */
export function checkPlugins(all: readonly PluginUse[], kernelContracts: ReadonlySet<string>): CheckedPlugins {
  const problems: string[] = [];
  const uses = all.filter((use) => hasLists(use, problems));
  checkManifests(uses, problems);
  checkUnique(uses, "service", ({ services }) => services, problems);
  checkUnique(
    uses,
    "table",
    ({ tables }) => tables,
    problems,
    new Map([...KERNEL_SCOPE.tables!].map((t) => [t, "the kernel"])),
  );
  checkReservedTables(uses, problems);
  const configs = new Map(uses.map((use) => [use.plugin, decodeConfig(use, problems)]));
  const ordered = orderPlugins(uses.map(({ plugin }) => plugin), kernelContracts, problems);
  const byPlugin = new Map(uses.map((use) => [use.plugin, use]));
  return {
    ordered: ordered.map((plugin) => ({ use: byPlugin.get(plugin)!, config: configs.get(plugin) })),
    problems,
  };
}

/** plugin.json may come from anywhere; without these, nothing more can be told of a plugin. */
function hasLists({ plugin: { manifest }, at }: PluginUse, problems: string[]): boolean {
  const missing = (["services", "tables"] as const).filter((name) => !Array.isArray(manifest[name]));
  problems.push(...missing.map((name) => `${at}: plugin.json: ${name}: must be a list`));
  return missing.length === 0;
}

function checkManifests(uses: readonly PluginUse[], problems: string[]): void {
  const seen = new Map<string, string>();
  for (const { plugin: { manifest }, at } of uses) {
    reportFault(problems, () => manifestCodec.decode(manifest, `${at}: plugin.json`));
    const { name, kernel } = manifest;
    if (!NAME.test(name) || name === "kernel") {
      problems.push(`${at}: the plugin name "${name}" must be snake_case, and not "kernel"`);
    }
    const other = seen.get(name);
    if (other !== undefined) problems.push(`${at}: the plugin "${name}" is used already at ${other}`);
    seen.set(name, at);
    if (!satisfies(KERNEL_VERSION, kernel)) {
      problems.push(`plugin "${name}" works with kernel ${kernel}; this is kernel ${KERNEL_VERSION}`);
    }
  }
}

function checkUnique(
  uses: readonly PluginUse[],
  what: string,
  namesOf: (manifest: Plugin["manifest"]) => readonly string[],
  problems: string[],
  owners: Map<string, string> = new Map(),
): void {
  for (const { plugin: { manifest } } of uses) {
    for (const name of namesOf(manifest)) {
      const owner = owners.get(name.toLowerCase());
      if (owner !== undefined) problems.push(`${what} "${name}" belongs to ${owner} and to plugin "${manifest.name}"`);
      owners.set(name.toLowerCase(), `plugin "${manifest.name}"`);
    }
  }
}

/** Names that tables of the kernel and of SQLite have, and will have. */
function checkReservedTables(uses: readonly PluginUse[], problems: string[]): void {
  for (const { plugin: { manifest: { name, tables } } } of uses) {
    for (const table of tables) {
      if (KERNEL_SCOPE.tables!.has(table) || !RESERVED_TABLE.test(table)) continue;
      problems.push(`plugin "${name}": the table "${table}" may not begin with kernel_, migration_ or sqlite_`);
    }
  }
}

function decodeConfig({ plugin, config = {}, at }: PluginUse, problems: string[]): unknown {
  if (plugin.config !== undefined) {
    const codec = jsonCodec(plugin.config, { unknownFields: "refuse" });
    return reportFault(problems, () => codec.decode(config, `${at}.config`));
  }
  if (typeof config !== "object" || config === null || Object.keys(config).length > 0) {
    problems.push(`${at}.config: the plugin "${plugin.manifest.name}" takes no configuration`);
  }
  return undefined;
}

function reportFault<Result>(problems: string[], work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}
