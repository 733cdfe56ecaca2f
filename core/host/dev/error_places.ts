import process from "node:process";
import { relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { errorMessage } from "../settings/files.ts";
import type { ModuleVersions } from "./module_versions.ts";

/** A position in the stack of an error, such as `file:///plugins/notes/plugin.ts?version=2:7:3`. */
const PLACE = /(file:\/\/\/[^\s:()?"',]+)(?:\?version=\d+)?(:\d+(?::\d+)?)/;
/** Begins the error that Deno throws, if there are hooks, in place of that of a module that it cannot load. */
const NOT_LOADED = "Loading unprepared module: ";
const IMPORTER = ", imported from: ";
const MAX_DEPTH = 20;
// deno-lint-ignore no-control-regex -- messages of Deno have colours
const COLOURS = /\x1b\[\d+m/g;

/** Describes an error of an import, with the file and the line. */
export async function importErrorText(error: unknown, modules: ModuleVersions): Promise<string> {
  return errorTextWithPlace(await cause(error, modules, 0));
}

/** Imports a module that Deno could not load by itself, which tells why. */
async function cause(error: unknown, modules: ModuleVersions, depth: number): Promise<unknown> {
  const message = errorMessage(error);
  if (!message.startsWith(NOT_LOADED) || depth === MAX_DEPTH) return error;
  const [url, importer] = message.slice(NOT_LOADED.length).split(IMPORTER).map((text) => text.split("?")[0]!);
  try {
    modules.renew([fileURLToPath(url!)], []);
    await import(url!);
    return error;
  } catch (nearer) {
    if (/^Module not found/.test(errorMessage(nearer))) {
      return new Error(`${errorMessage(nearer).split("\n")[0]} It is imported by ${readable(importer!)}`);
    }
    return await cause(nearer, modules, depth + 1);
  }
}

/** Returns the message of an error with the place in a plugin where it was thrown, if it is known. */
export function errorTextWithPlace(error: unknown): string {
  const message = readable(errorMessage(error));
  const place = placeOf(error);
  return place === undefined || message.includes(place) ? message : `${message} (${place})`;
}

/** Returns the first place in the stack of an error that is in a plugin. */
export function placeOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  // Node begins the stack of a syntax error with its place, a path if the format of the module is not declared
  const first = stack.slice(0, stack.indexOf("\n"));
  if (/^\d+$/.test(first.slice(first.lastIndexOf(":") + 1)) && !first.startsWith("file:")) return first;
  const places = stack.replace(COLOURS, "").split("\n").flatMap((line) => PLACE.exec(line)?.slice(1) ?? []);
  for (let index = 0; index < places.length; index += 2) {
    const url = places[index]!;
    if (!url.startsWith(OWN) && !url.includes("/node_modules/")) return readable(url + places[index + 1]!);
  }
  return undefined;
}

const OWN = new URL("../../", import.meta.url).href;

/** The text with paths instead of URLs, relative to the working directory. */
function readable(text: string): string {
  const here = pathToFileURL(process.cwd() + sep).href;
  return text.replace(COLOURS, "").replace(/\?version=\d+/g, "")
    .replaceAll(/file:\/\/\/[^\s"':,()]+/g, (url) => url.startsWith(here) ? shortPath(url) : fileURLToPath(url));
}

function shortPath(url: string): string {
  return relative(process.cwd(), fileURLToPath(url));
}
