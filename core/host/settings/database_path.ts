import { resolve } from "node:path";
import { StartupError } from "../../base/startup_error.ts";
import type { Settings } from "./settings.ts";

/** Returns the path of a local database, or undefined if the database is remote. */
export function localPath({ database: { url }, dataDirectory }: Settings): string | undefined {
  if (url.startsWith("file:")) return resolve(dataDirectory, url.slice("file:".length));
  if (/^(?:libsql|https?):\/\/[^/?#]/.test(url)) return undefined;
  throw new StartupError(`database.url: must start with file:, libsql://, https:// or http://, got "${url}"`);
}

/**
 * Returns the path of a local database.
 *
 * @throws StartupError if the database is remote
 */
export function requireLocalPath(settings: Settings): string {
  const path = localPath(settings);
  if (path !== undefined) return path;
  throw new StartupError(
    `the database at ${
      URL.parse(settings.database.url)?.host ?? "another machine"
    } is remote: back it up and restore it ` +
      `with its provider's tools, such as "turso db shell <name> .dump", or a copy of the data directory of a stopped sqld`,
  );
}
