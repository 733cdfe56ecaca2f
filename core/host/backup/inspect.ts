import { pathToFileURL } from "node:url";
import { KEY_CHECK } from "../../auth/key_rotation.ts";
import { INSTALLATION_ID } from "../../kernel/installation_state.ts";
import { StartupError } from "../../base/startup_error.ts";
import { errorMessage } from "../settings/files.ts";
import { APPLICATION_ID } from "../sqlite/application_id.ts";
import { Connection } from "../sqlite/connection.ts";

/** The identity of the installation that a database belongs to. */
export interface InstallationInfo {
  readonly installationId: string;
  /** The check value that the installation key must match. It begins with the key's id. */
  readonly keyCheck: string;
  /** The number of tables, and of the rows in all of them. */
  readonly tables: number;
  readonly rows: number;
}

/**
 * Checks every page of a database file, counts its rows and returns the installation that it belongs to. No process may write the file
 * meanwhile. Blocks the thread.
 *
 * @throws StartupError if the file is damaged or does not hold an installation
 */
export function inspect(path: string): InstallationInfo {
  try {
    const connection = new Connection(`${pathToFileURL(path).href}?mode=ro&immutable=1`, []);
    try {
      checkIntegrity(connection);
      return readInstallation(connection);
    } finally {
      connection.close();
    }
  } catch (cause) {
    throw new StartupError(`the copy of the database cannot be used: ${errorMessage(cause)}`, { cause });
  }
}

function checkIntegrity(connection: Connection): void {
  const applicationId = Number(connection.query("pragma application_id")[0]?.[0]);
  if (applicationId !== APPLICATION_ID) {
    throw new StartupError(`its application id is ${applicationId}, not ${APPLICATION_ID}`);
  }
  const results = connection.query("pragma integrity_check(3)").map(([line]) => String(line));
  if (results[0] !== "ok") throw new StartupError(results.join("; "));
}

function readInstallation(connection: Connection): InstallationInfo {
  const rows = connection.query("select name, value from kernel_settings");
  const settings = new Map(rows.map(([name, value]) => [String(name), String(value)]));
  const installationId = settings.get(INSTALLATION_ID);
  const keyCheck = settings.get(KEY_CHECK);
  if (installationId === undefined || keyCheck === undefined) {
    throw new StartupError("it does not hold an installation");
  }
  return { installationId, keyCheck, ...countRows(connection) };
}

/** Reads each table once. A virtual table has none of its own: its content is in tables beside it. */
function countRows(connection: Connection): Pick<InstallationInfo, "tables" | "rows"> {
  const tables = connection.query("select name from sqlite_master where type = 'table' and rootpage > 0");
  const rows = tables.reduce((sum, [name]) => {
    const quoted = `"${String(name).replaceAll('"', '""')}"`;
    return sum + Number(connection.query(`select count(*) from ${quoted}`)[0]?.[0]);
  }, 0);
  return { tables: tables.length, rows };
}

/** Returns the public id of the key that the database's secrets are sealed with. */
export function keyIdOf({ keyCheck }: InstallationInfo): string {
  return keyCheck.split(".", 1)[0]!;
}
