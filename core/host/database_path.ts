import { resolve } from "node:path";
import { StartupError } from "../startup_error.ts";
import type { Settings } from "./settings.ts";

/** The database file of an installation. */
export function localPath({ database: { url }, dataDirectory }: Settings): string {
  if (url.startsWith("file:")) return resolve(dataDirectory, url.slice("file:".length));
  throw new StartupError(`database.url: must start with file:, got "${url}"`);
}

/** The database file, for work that only a file can have done to it. */
export function fileToCopy(settings: Settings): string {
  const { url } = settings.database;
  if (!/^(libsql|https?|wss?):/.test(url)) return localPath(settings);
  throw new StartupError(
    `the database at ${URL.parse(url)?.host ?? "another machine"} is remote: back it up and restore it with its ` +
      `provider's tools, such as "turso db shell <name> .dump", or a copy of the data directory of a stopped sqld`,
  );
}
