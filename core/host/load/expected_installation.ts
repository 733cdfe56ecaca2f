import { StartupError } from "../../base/startup_error.ts";
import type { Environment } from "../settings/environment.ts";

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the id of the installation that the environment expects in the database, if it does.
 *
 * @throws StartupError if it is no such id
 */
export function expectedInstallation({ EDGEHELM_INSTALLATION: id }: Environment): string | undefined {
  if (id === undefined || ID.test(id)) return id;
  throw new StartupError(
    `EDGEHELM_INSTALLATION must be the id of an installation, a UUID in lower case, got "${id.slice(0, 100)}"; ` +
      "doctor and backup print it",
  );
}
