import type { InstallationKey } from "../auth/installation_key.ts";
import { KEY_CHECK } from "../auth/key_rotation.ts";
import type { Call } from "../base/call.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
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
