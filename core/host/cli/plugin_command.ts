import { Buffer } from "node:buffer";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";
import { errorText } from "../../base/log.ts";
import { StartupError } from "../../base/startup_error.ts";
import { commentsModule, protoComments } from "../gen/proto_comments.ts";
import { readEnvironment } from "../settings/environment.ts";
import { addPlugin, removePlugin, undoChange, whyPlugin } from "./manifest_edit.ts";
import { hasCode } from "../settings/files.ts";
import { pluginList } from "./plugin_list.ts";
import { scaffold } from "./plugin_scaffold.ts";
import { readSettings } from "../settings/settings.ts";

const USAGE = [
  "plugin list                              lists the enabled plugins with their tables and operations",
  "plugin add <use> [--config <json>]       adds a plugin to the installation manifest",
  "plugin remove <name>                     removes one; its data is kept",
  "plugin undo                              returns to the manifest before the last change",
  "plugin why <name>                        shows what requires a plugin, and what it requires",
  "plugin new <new folder>                  creates a plugin",
  "plugin comments [folder]                 writes the comments of proto files; part of the code generation",
].map((line) => `\n  ${line}`).join("");

/**
 * Runs a command about plugins.
 *
 * @returns lines for the operator
 */
export async function pluginCommand([action = "", ...args]: readonly string[]): Promise<string[]> {
  const [argument] = args;
  const settings = () => readSettings(readEnvironment());
  if (action === "list") return await pluginList(await settings());
  if (action === "add") return await addPlugin(await settings(), args);
  if (action === "undo") return await undoChange(await settings());
  if (action === "comments") return await writeComments(argument ?? ".");
  if (action === "remove" && argument !== undefined) return await removePlugin(await settings(), argument);
  if (action === "why" && argument !== undefined) return await whyPlugin(await settings(), argument);
  if (action === "new" && argument !== undefined) return await newPlugin(resolve(argument));
  throw new StartupError(`usage:${USAGE}`);
}

async function newPlugin(folder: string): Promise<string[]> {
  const name = basename(folder).replaceAll("-", "_");
  if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new StartupError(`the name of a plugin folder must be snake_case, got "${name}"`);
  }
  await makeFolder(folder);
  for (const [file, text] of Object.entries(scaffold(name))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return [
    `created plugin ${name} in ${folder}`,
    `to enable it, add { "use": "${folder}" } to "plugins" in the installation manifest and restart the server`,
    `service: proto/service_${name}.proto  handlers: handlers.ts  test: test/${name}.test.ts  next: README.md`,
  ];
}

/** Makes a folder that does not exist yet, with the folders above it. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(folder);
  } catch (cause) {
    const text = hasCode(cause, "EEXIST") ? "it exists already" : errorText(cause);
    throw new StartupError(`the plugin folder ${folder} could not be made: ${text}`, { cause });
  }
}

/** Writes the comments in a descriptor set from the standard input beside the proto files that they stand in. */
async function writeComments(root: string): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  const written: string[] = [];
  for (const { folder, comments } of protoComments(Buffer.concat(chunks))) {
    const path = resolve(root, folder);
    // the folders of imported files are elsewhere
    if (!await isFolder(path)) continue;
    await writeFile(join(path, "comments_pb.ts"), commentsModule(comments));
    written.push(folder);
  }
  return [`wrote the comments of ${written.length} folder${written.length === 1 ? "" : "s"}`];
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
