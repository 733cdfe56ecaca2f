import { Buffer } from "node:buffer";
import process from "node:process";
import { StartupError } from "../../base/startup_error.ts";

const USAGE = [
  "plugin list [--output json]              lists the plugins with their tables and operations",
  "plugin add <use> [--config <json>]       adds a plugin to the installation manifest",
  "plugin remove <name>                     removes one; its data is kept",
  "plugin disable <name>                    stops running one; it stays in the list, and its data is kept",
  "plugin enable <name>                     runs it again with the settings that it had",
  "plugin update <name> [<use>]             accepts what a package contains now, or another version of it",
  "plugin undo                              returns to the manifest before the last change",
  "plugin why <name>                        shows what requires a plugin, and what it requires",
  "plugin new <new folder or @scope/name>   creates a plugin",
  "plugin gen [folder]                      generates the code of a plugin's proto files",
  "plugin check [folder]                    checks what every plugin must satisfy",
  "plugin comments [folder]                 writes the comments of proto files; part of the code generation",
].map((line) => `\n  ${line}`).join("");

type Action = (args: readonly string[], argument: string) => Promise<string[]>;

/** The actions without an argument, or with an optional one; each loads what it needs. */
const ACTIONS: Readonly<Record<string, Action>> = {
  list: async (args) => await (await import("./plugin_list.ts")).pluginList(await settings(), args),
  add: async (args) => await (await edits()).addPlugin(await settings(), args),
  undo: async () => await (await edits()).undoChange(await settings()),
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
  remove: async (_args, name) => await (await edits()).removePlugin(await settings(), name),
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
  const [argument] = args;
  const actions = argument === undefined ? ACTIONS : { ...ACTIONS, ...ACTIONS_WITH_ARGUMENT };
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new StartupError(`usage:${USAGE}`);
  return await action(args, argument ?? "");
}

async function edits() {
  return await import("./manifest_edit.ts");
}

async function settings() {
  const { readEnvironment } = await import("../settings/environment.ts");
  const { readSettings } = await import("../settings/settings.ts");
  return await readSettings(readEnvironment());
}
