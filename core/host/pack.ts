import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StartupError } from "../startup_error.ts";
import { compile } from "./compile.ts";
import { pluginPackage, projectPackage } from "./package_json.ts";
import { ROOT } from "./settings.ts";

/** What of the project belongs into its package. */
const PROJECT = /^(core|plugins|proto|test\/harness)\/|^(README\.md|LICENSE)$/;
const COPIED = /\.(json|proto|md|js)$|(^|\/)LICENSE$/;
const NEVER =
  /(^|\/)(node_modules|\.[^/]*|package\.json|package-lock\.json|deno\.jsonc?|tsconfig\.json|[^/]+\.test\.ts)(\/|$)/;

/**
 * Makes a package that `npm pack` and `npm publish` take: JavaScript with declarations, and the files beside them.
 *
 * @param words a plugin's folder and the folder to make, or the latter alone for the project itself
 * @returns lines for the operator
 */
export async function pack(words: readonly string[]): Promise<readonly string[]> {
  const [folder, out] = words.length === 1 ? [undefined, words[0]] : words;
  if (out === undefined || words.length > 2) {
    throw new StartupError("say what to pack and where to: pack [plugin folder] <new folder>");
  }
  const source = folder === undefined ? ROOT : resolve(folder);
  if (existsSync(out) && (await readdir(out)).length > 0) throw new StartupError(`the folder ${out} is not empty`);
  if (folder !== undefined && !existsSync(join(source, "plugin.json"))) {
    throw new StartupError(`${folder} is no plugin: there is no plugin.json in it`);
  }
  const files = await filesToPack(source, folder === undefined, resolve(out));
  for (const { path, text } of await compile(source, files.filter((file) => file.endsWith(".ts")))) {
    await write(join(out, path), text);
  }
  for (const file of files.filter((one) => COPIED.test(one))) {
    const text = await readFile(join(source, file), "utf8");
    await write(join(out, file), basename(file) === "plugin.json" ? withBuiltHost(text) : text);
  }
  const description = folder === undefined ? await projectPackage(source) : await pluginPackage(source);
  await write(join(out, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
  return [
    `packed ${description.name} ${description.version} into ${out}`,
    `next: npm pack ${out}, or npm publish ${out}`,
  ];
}

/** plugin.json names the host module by its file, which is JavaScript now. */
function withBuiltHost(text: string): string {
  const manifest = JSON.parse(text);
  const host = typeof manifest.host === "string" ? { host: manifest.host.replace(/\.ts$/, ".js") } : {};
  return `${JSON.stringify({ ...manifest, ...host }, null, 2)}\n`;
}

async function filesToPack(source: string, isProject: boolean, out: string): Promise<string[]> {
  const tops = isProject ? ["core", "plugins", "proto", "test/harness"] : [""];
  const found = await Promise.all(tops.map(async (top) => {
    const entries = await readdir(join(source, top), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }));
  const beside = isProject ? ["README.md", "LICENSE"].map((name) => join(source, name)).filter(existsSync) : [];
  return [...found.flat(), ...beside]
    .filter((path) => !path.startsWith(`${out}/`))
    .map((path) => path.slice(source.length + 1))
    .filter((path) => !NEVER.test(path) && !path.endsWith(".d.ts") && (!isProject || PROJECT.test(path)))
    .filter((path) => path.endsWith(".ts") || COPIED.test(path))
    .sort();
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
