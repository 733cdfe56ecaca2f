import { relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ROOT } from "../../settings/settings.ts";

/** The line and the column at the end of a frame. */
const POSITION = /:(\d{1,9}):\d{1,9}\)?$/;
/** Modules that load other modules, by reading files and by other means. */
const LOADER = /node:internal\/modules\//;
const ROOT_URL = pathToFileURL(`${ROOT}/`).href;
const OF_PLUGINS = `${ROOT_URL}plugins/`;

/**
 * Returns the place in a plugin, or in a package that it uses, that led to a call, such as `plugin.ts:12`.
 *
 * @param frames the lines of the stack, the innermost first, without those that recorded it
 * @returns undefined if the kernel or the runtime did it for themselves
 */
export function placeIn(folder: string, frames: readonly string[]): string | undefined {
  if (LOADER.test(frames[0] ?? "")) return undefined;
  for (const frame of frames) {
    const start = frame.lastIndexOf("file://");
    const position = POSITION.exec(frame.trimEnd());
    if (start < 0 || position === null || isKernel(frame.slice(start))) continue;
    const [url] = frame.slice(start, position.index).split(/[?#]/);
    return `${relative(folder, fileURLToPath(url!)).split(sep).join("/")}:${position[1]}`;
  }
  return undefined;
}

function isKernel(url: string): boolean {
  return url.startsWith(ROOT_URL) && !url.startsWith(OF_PLUGINS);
}
