import { pathToFileURL } from "node:url";
import { INSTALLATION_ID, KEY_CHECK } from "../../kernel/installation_state.ts";
import { StartupError } from "../../base/startup_error.ts";
import { wordCause } from "../settings/files.ts";
import { APPLICATION_ID } from "../sqlite/application_id.ts";
import { Connection } from "../sqlite/connection.ts";

/** What a database says of its installation. */
export interface Inspected {
  readonly installationId: string;
  /** What the installation key must match; begins with the key's id. */
  readonly keyCheck: string;
}

/**
 * Reads every page of a database file that nobody writes, and what it says of its installation. Synchronous.
 *
 * @throws StartupError when it is damaged, or no database of an installation
 */
export function inspect(path: string): Inspected {
  try {
    const connection = new Connection(`${pathToFileURL(path).href}?mode=ro&immutable=1`, []);
    try {
      const fault = faultOf(connection);
      if (fault !== undefined) throw new StartupError(fault);
      return inspected(connection);
    } finally {
      connection.close();
    }
  } catch (cause) {
    throw new StartupError(`the copy of the database is not usable: ${wordCause(cause)}`, { cause });
  }
}

function faultOf(connection: Connection): string | undefined {
  const applicationId = Number(connection.query("pragma application_id")[0]?.[0]);
  if (applicationId !== APPLICATION_ID) return `its application id is ${applicationId}, not ${APPLICATION_ID}`;
  const found = connection.query("pragma integrity_check(3)").map(([line]) => String(line));
  return found[0] === "ok" ? undefined : found.join("; ");
}

function inspected(connection: Connection): Inspected {
  const rows = connection.query("select name, value from kernel_settings");
  const settings = new Map(rows.map(([name, value]) => [String(name), String(value)]));
  const installationId = settings.get(INSTALLATION_ID);
  const keyCheck = settings.get(KEY_CHECK);
  if (installationId === undefined || keyCheck === undefined) throw new StartupError("it holds no installation");
  return { installationId, keyCheck };
}

/** The public id of the key that the secrets of a database are sealed with. */
export function keyIdOf({ keyCheck }: Inspected): string {
  return keyCheck.split(".", 1)[0]!;
}
