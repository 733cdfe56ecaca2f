import { Buffer } from "node:buffer";
import process from "node:process";
import { nearest } from "../../base/nearest.ts";
import { StartupError } from "../../base/startup_error.ts";

/** The actions as people read them: how each is called, and what it does. */
const USAGES: readonly (readonly [usage: string, about: string])[] = [
  ["list [--output json]", "lists the plugins with their versions, tables, rows and operations"],
  ["add <use> [--config <json>]", "adds a plugin to the installation manifest"],
  ["remove <name>", "removes one; its data is kept"],
  ["remove <name> --delete-data [--yes]", "removes one with its tables, after it has asked; the server must not run"],
  ["disable <name>", "stops running one; it stays in the list, and its data is kept"],
  ["enable <name>", "runs it again with the settings that it had"],
  ["update <name> [<use>]", "accepts what a package contains now, or another version of it"],
  ["undo", "returns to the manifest before the last change"],
  ["why <name>", "shows what requires a plugin, and what it requires"],
  ["new <new folder or @scope/name>", "creates a plugin"],
  ["gen [folder]", "generates the code of a plugin's proto files"],
  ["check [folder]", "checks what every plugin must satisfy"],
  ["comments [folder]", "writes the comments of proto files; part of the code generation"],
];

type Action = (args: readonly string[], argument: string) => Promise<string[]>;

/** The actions without an argument, or with an optional one; each loads what it needs. */
const ACTIONS: Readonly<Record<string, Action>> = {
  list: async (args) => await (await import("./plugin_list.ts")).pluginList(await settings(), args),
  add: async (args) => await (await edits()).addPlugin(await settings(), args),
  undo: async () => await (await import("./manifest_file.ts")).undoChange(await settings()),
  gen: async ([folder = "."]) => await (await import("../vendor/generate.ts")).generate(folder),
  check: async ([folder = "."]) => await (await import("../vendor/check_plugin.ts")).checkPlugin(folder),
  async comments([folder = "."]) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
    return await (await import("../vendor/write_comments.ts")).writeComments(folder, Buffer.concat(chunks));
  },
};

/** The actions that need an argument. */
const ACTIONS_WITH_ARGUMENT: Readonly<Record<string, Action>> = {
  remove: async (args) => await (await import("./plugin_removal.ts")).removePlugin(await settings(), args),
  disable: async (_args, name) => await (await edits()).disablePlugin(await settings(), name),
  enable: async (_args, name) => await (await edits()).enablePlugin(await settings(), name),
  update: async (args) => await (await edits()).updatePlugin(await settings(), args),
  why: async (_args, name) => await (await edits()).whyPlugin(await settings(), name),
  new: async (_args, target) => await (await import("../vendor/new_plugin.ts")).newPlugin(target),
};

/**
 * Runs a command about plugins.
 *
 * @returns lines for the operator
 */
export async function pluginCommand([name = "", ...args]: readonly string[]): Promise<string[]> {
  if ([name, ...args].some((word) => word === "--help" || word === "-h")) return helpLines(name);
  const [argument] = args;
  const actions = argument === undefined ? ACTIONS : { ...ACTIONS, ...ACTIONS_WITH_ARGUMENT };
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new StartupError(unknownAction(name));
  return await action(args, argument ?? "");
}

/** Returns how an action is called, or all of them. */
function helpLines(name: string): string[] {
  const own = USAGES.filter(([usage]) => usage.split(" ")[0] === name);
  return ["usage: edgehelm plugin <action>", ...usageLines(own.length === 0 ? USAGES : own)];
}

function usageLines(usages: typeof USAGES): string[] {
  const width = Math.max(...usages.map(([usage]) => usage.length));
  return usages.map(([usage, about]) => `  edgehelm plugin ${usage.padEnd(width)}  ${about}`);
}

function unknownAction(name: string): string {
  const names = new Set(USAGES.map(([usage]) => usage.split(" ")[0]!));
  const meant = nearest(name, names);
  const problem = names.has(name)
    ? `plugin ${name}: an argument is missing`
    : `plugin: ${name === "" ? "an action is missing" : `"${name}" is no action`}`;
  const suggestion = names.has(name) || meant === undefined ? "" : `; did you mean "plugin ${meant}"?`;
  return [`${problem}${suggestion}`, ...helpLines(name)].join("\n");
}

async function edits() {
  return await import("./manifest_edit.ts");
}

async function settings() {
  const { readEnvironment } = await import("../settings/environment.ts");
  const { readSettings } = await import("../settings/settings.ts");
  return await readSettings(readEnvironment());
}
