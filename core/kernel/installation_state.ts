import type { InstallationKey } from "../auth/installation_key.ts";
import { KEY_CHECK } from "../auth/key_rotation.ts";
import type { Call } from "../base/call.ts";
import { StartupError } from "../base/startup_error.ts";
import type { StorageEngine } from "../storage/engine.ts";
import { KERNEL_SCOPE, type KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

export const INSTALLATION_ID = "installationId";

/** The identity of an installation in its database: its id, and the key that its secrets are sealed with. */
export class InstallationState {
  readonly #find;
  readonly #insert;

  constructor(db: Db<KernelTables>) {
    this.#find = db.query((q, p: { name: string }) =>
      q.selectFrom("kernel_settings").select("value").where("name", "=", p.name)
    );
    this.#insert = db.query((q, p: KernelTables["kernel_settings"]) =>
      q.insertInto("kernel_settings").values({ name: p.name, value: p.value })
    );
  }

  /** Returns the installation's id, or undefined before its first start. */
  async id(call: Call): Promise<string | undefined> {
    return (await this.#find.first(call, { name: INSTALLATION_ID }))?.value;
  }

  /** Creates the installation and returns its id. */
  async create(call: Call, key: InstallationKey): Promise<string> {
    const id = crypto.randomUUID();
    await this.#insert.run(call, { name: INSTALLATION_ID, value: id });
    await this.#insert.run(call, { name: KEY_CHECK, value: await key.checkValue() });
    return id;
  }
}

/**
 * Checks, before anything is migrated, that a database holds an installation.
 *
 * @throws StartupError if it holds another one or none
 */
export async function requireInstallation(engine: StorageEngine, expected: string): Promise<void> {
  const id = await engine.migrate(async (session) => {
    if (!(await session.schema()).has("kernel_settings")) return undefined;
    const sql = "select value from kernel_settings where name = ?";
    const { rows } = await session.run({ sql, scope: KERNEL_SCOPE }, [INSTALLATION_ID]);
    return rows[0]?.[0];
  });
  if (id === expected) return;
  throw new StartupError(
    `the database holds ${id === undefined ? "no installation" : `installation ${id}`}, but EDGEHELM_INSTALLATION ` +
      `names ${expected}; put the right database in place, or unset EDGEHELM_INSTALLATION to begin a new installation`,
  );
}
