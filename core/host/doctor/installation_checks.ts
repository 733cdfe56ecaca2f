import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import type { Environment } from "../settings/environment.ts";
import { errorMessage, exists, sizeText } from "../settings/files.ts";
import type { Settings } from "../settings/settings.ts";
import { cannotListen, type ListenerName } from "../listen/listener.ts";
import { checkPlaintext } from "../listen/plaintext.ts";
import { requireDataDirectory } from "../load/data_directory.ts";
import { loadInstallationKey } from "../load/installation_key.ts";
import { readInstallationId } from "../sqlite/database_file.ts";
import { mismatchOf } from "../sqlite/database_identity.ts";
import { checkDatabaseFile } from "../sqlite/startup_check.ts";
import { failure, type Finding, ok, warning } from "./finding.ts";

const LITTLE_SPACE = 1024 ** 3;
const NO_SPACE = 100 * 1024 ** 2;

/** Checks that a port can be used. */
export async function checkPort(
  subject: ListenerName,
  { host, port }: { host: string; port: number },
): Promise<Finding> {
  try {
    await new Promise<void>((resolve, reject) => {
      const server = createServer();
      server.once("error", reject);
      server.listen({ host, port }, () => server.close(() => resolve()));
    });
    return ok(subject, `${host}:${port} is free`);
  } catch (error) {
    return failure(subject, cannotListen(subject, host, port, error));
  }
}

/** Checks that access tokens do not leave this machine in plain text. */
export function checkTransport(settings: Settings): Finding {
  const subject = "plain text";
  try {
    const listeners = checkPlaintext(settings);
    if (listeners.length === 0) return ok(subject, "is not sent to other machines");
    return warning(subject, `${listeners.join(", ")} may be read on the way; set http.tls`);
  } catch (error) {
    return failure(subject, errorMessage(error));
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
  try {
    await requireDataDirectory(path);
    return ok(subject, path);
  } catch (error) {
    return failure(subject, errorMessage(error));
  }
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
export async function checkDatabase(dataDirectory: string, path: string): Promise<Finding> {
  try {
    const mismatch = mismatchOf(dataDirectory, path);
    if (mismatch !== undefined) return failure("database", mismatch);
    if (!await exists(path)) return ok("database", `${path} will be created by the first start`);
    checkDatabaseFile(path, { wasLeftBehind: true, quickCheckBytes: Infinity });
    const id = readInstallationId(path);
    const size = sizeText((await stat(path)).size);
    return ok("database", `${path} is intact (${size})${id === undefined ? "" : `, of installation ${id}`}`);
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
