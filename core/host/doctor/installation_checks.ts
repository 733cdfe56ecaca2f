import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import process from "node:process";
import type { Environment } from "../settings/environment.ts";
import { errorMessage, exists, hasCode, sizeText } from "../settings/files.ts";
import type { Settings } from "../settings/settings.ts";
import { loadInstallationKey } from "../load/installation_key.ts";
import { checkDatabaseFile } from "../sqlite/startup_check.ts";
import { failure, type Finding, ok, warning } from "./finding.ts";

const LITTLE_SPACE = 1024 ** 3;
const NO_SPACE = 100 * 1024 ** 2;

/** Checks that a port can be used. */
export async function checkPort(subject: string, { host, port }: { host: string; port: number }): Promise<Finding> {
  try {
    await new Promise<void>((resolve, reject) => {
      const server = createServer();
      server.once("error", reject);
      server.listen({ host, port }, () => server.close(() => resolve()));
    });
    return ok(subject, `${host}:${port} is free`);
  } catch (error) {
    const variable = `EDGEHELM_${subject.toUpperCase()}_PORT`;
    if (hasCode(error, "EADDRINUSE")) {
      return failure(subject, `${host}:${port} is used by another program; stop it, or set ${variable}`);
    }
    if (hasCode(error, "EACCES")) {
      return failure(subject, `${host}:${port} needs more rights; choose a port above 1023 with ${variable}`);
    }
    return failure(subject, `${host}:${port} cannot be used (${errorMessage(error)}); set ${subject}.host`);
  }
}

/** Checks that the data directory can be written, by its owner alone. */
export async function checkDataDirectory(path: string): Promise<Finding> {
  const subject = "data directory";
  const folder = await exists(path) ? path : dirname(path);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    return failure(subject, `${folder} cannot be written (${errorMessage(error)}); change its owner, or EDGEHELM_DATA`);
  }
  if (folder !== path) return ok(subject, `${path} will be created by the first start`);
  const isOpen = process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0;
  if (!isOpen) return ok(subject, path);
  return warning(subject, `other users of this machine can enter ${path}; run: chmod 700 "${path}"`);
}

/** Checks that there is room for data. */
export async function checkDisk(path: string): Promise<Finding> {
  const folder = await exists(path) ? path : dirname(path);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${sizeText(free)} free for ${folder}`;
  if (free < NO_SPACE) return failure("disk", `${text}; writes will fail soon: free some, or move EDGEHELM_DATA`);
  return free < LITTLE_SPACE ? warning("disk", `${text}; free some, or move EDGEHELM_DATA`) : ok("disk", text);
}

/** Checks that the installation key is there, and that only its owner can read it. It creates none. */
export async function checkKey(
  env: Environment,
  { dataDirectory }: Settings,
  databasePath: string | undefined,
): Promise<Finding> {
  const subject = "installation key";
  const isConfigured = env.EDGEHELM_KEY !== undefined || env.EDGEHELM_KEY_FILE !== undefined;
  const isNew = !isConfigured && databasePath !== undefined && !await exists(`${dataDirectory}/installation.key`);
  if (isNew && !await exists(databasePath)) return ok(subject, "will be created by the first start");
  if (isNew) {
    return failure(
      subject,
      `${dataDirectory}/installation.key is missing, without which ${databasePath} cannot be used; put back the copy`,
    );
  }
  try {
    const { notices } = await loadInstallationKey({ env, dataDirectory, remote: databasePath === undefined });
    const [notice] = notices;
    return notice === undefined ? ok(subject, "can be read") : warning(subject, notice);
  } catch (error) {
    return failure(subject, errorMessage(error));
  }
}

/** Checks the file of a local database, which no process may hold. */
export async function checkDatabase(path: string): Promise<Finding> {
  if (!await exists(path)) return ok("database", `${path} will be created by the first start`);
  try {
    checkDatabaseFile(path, { wasLeftBehind: true, quickCheckBytes: Infinity });
    return ok("database", `${path} is intact (${sizeText((await stat(path)).size)})`);
  } catch (error) {
    return failure("database", errorMessage(error));
  }
}

/** Checks that a remote database can be reached. */
export async function checkRemoteDatabase(url: string): Promise<Finding> {
  const { host } = new URL(url);
  const address = url.replace(/^libsql:/, "https:");
  try {
    await fetch(address, { method: "HEAD", signal: AbortSignal.timeout(5000) });
    return ok("database", `${host} responds`);
  } catch (error) {
    return failure("database", `${host} does not respond (${errorMessage(error)}); check database.url and the network`);
  }
}
