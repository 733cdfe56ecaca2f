import type { JsonValue } from "@bufbuild/protobuf";
import { PluginManifestSchema } from "../proto/installation_pb.ts";
import { satisfies } from "semver";
import { RpcError } from "./errors.ts";
import { jsonCodec } from "./json/codec.ts";
import { KERNEL_SCOPE } from "./kernel_tables.ts";
import { orderPlugins } from "./order.ts";
import type { Plugin } from "./plugin.ts";
import { KERNEL_VERSION } from "./version.ts";

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
const manifestCodec = jsonCodec(PluginManifestSchema, { unknownFields: "refuse" });

/** Checks everything that can be known before any plugin runs, and finds the order. */
export function checkPlugins(uses: readonly PluginUse[], kernelContracts: ReadonlySet<string>): CheckedPlugins {
  const problems: string[] = [];
  checkManifests(uses, problems);
  checkUnique(uses, "service", ({ services }) => services, problems);
  checkUnique(
    uses,
    "table",
    ({ tables }) => tables,
    problems,
    new Map([...KERNEL_SCOPE.tables!].map((t) => [t, "the kernel"])),
  );
  const configs = new Map(uses.map((use) => [use.plugin, decodeConfig(use, problems)]));
  const ordered = orderPlugins(uses.map(({ plugin }) => plugin), kernelContracts, problems);
  const byPlugin = new Map(uses.map((use) => [use.plugin, use]));
  return {
    ordered: ordered.map((plugin) => ({ use: byPlugin.get(plugin)!, config: configs.get(plugin) })),
    problems,
  };
}

function checkManifests(uses: readonly PluginUse[], problems: string[]): void {
  const seen = new Map<string, string>();
  for (const { plugin: { manifest }, at } of uses) {
    reportFault(problems, () => manifestCodec.decode(manifest, `${at}: plugin.json`));
    const { name, kernel } = manifest;
    if (!NAME.test(name)) problems.push(`${at}: the plugin name "${name}" must be snake_case`);
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
      const owner = owners.get(name);
      if (owner !== undefined) problems.push(`${what} "${name}" belongs to ${owner} and to plugin "${manifest.name}"`);
      owners.set(name, `plugin "${manifest.name}"`);
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
