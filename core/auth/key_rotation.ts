import { kernelErrors } from "../base/errors.ts";
import type { Call } from "../base/call.ts";
import { StartupError } from "../base/startup_error.ts";
import type { Db } from "../storage/database.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import { kernelCall } from "../storage/kernel_call.ts";
import { generateKeyText, InstallationKey } from "./installation_key.ts";
import { KeyRing } from "./key_ring.ts";

/** The setting with the check value of the current key. */
export const KEY_CHECK = "installationKeyCheck";
/** The current key, sealed with the previous one, until every instance has the current one. */
const HANDOVER = "installationKeyHandover";
/** A JSON array of the earlier keys, each sealed with the current one. */
const EARLIER = "installationKeysEarlier";
/** The id of the first key, which stays in tokens. */
const ISSUER = "tokenIssuer";

export interface KeyRotationOptions {
  /** The key in the configuration when the process started. */
  readonly configured: InstallationKey;
  /** Reads the key in the configuration again, which may have been replaced since; undefined if it cannot change. */
  readonly readConfigured?: (() => Promise<InstallationKey>) | undefined;
  /** Creates a call that reads. */
  readonly systemCall: () => Call;
}

/**
 * The installation keys of a database. A rotation replaces the current key in one transaction: the database then holds
 * the earlier keys sealed with the new one and, until the rotation is finished, the new key sealed with the previous one.
 * Instances that only have the previous key therefore continue, and start, until then.
 */
export class KeyRotation {
  readonly ring: KeyRing;
  readonly #options: KeyRotationOptions;
  readonly #select;
  readonly #set;
  readonly #remove;
  #issuerId: string;

  constructor(db: Db<KernelTables>, options: KeyRotationOptions) {
    this.#options = options;
    this.#issuerId = options.configured.id;
    this.ring = new KeyRing(options.configured, () => this.load(options.systemCall()));
    this.#select = db.query((q, p: { name: string }) =>
      q.selectFrom("kernel_settings").select("value").where("name", "=", p.name)
    );
    this.#set = db.query((q, p: KernelTables["kernel_settings"]) =>
      q.insertInto("kernel_settings").values({ name: p.name, value: p.value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value }))
    );
    this.#remove = db.query((q, p: { name: string }) => q.deleteFrom("kernel_settings").where("name", "=", p.name));
  }

  /** The id under which tokens are issued: that of the installation's first key. */
  get issuerId(): string {
    return this.#issuerId;
  }

  /**
   * Loads the keys of the database.
   *
   * @throws StartupError if the database was made with another key
   */
  async load(call: Call): Promise<void> {
    const check = await this.#value(call, KEY_CHECK);
    if (check === undefined) return;
    const current = await this.#currentKey(call, check);
    const sealed: string[] = JSON.parse(await this.#value(call, EARLIER) ?? "[]");
    const earlier = await Promise.all(sealed.map((text) => openKey(current, text, EARLIER)));
    this.#issuerId = await this.#value(call, ISSUER) ?? current.id;
    this.ring.use(current, earlier);
  }

  /**
   * Makes a new key the current one.
   *
   * @returns the new key as text, which the operator must store
   * @throws RpcError conflict if an earlier rotation is not finished
   */
  async rotate(call: Call): Promise<string> {
    if (await this.#value(call, HANDOVER) !== undefined) {
      throw kernelErrors.conflict("the last rotation is not finished: run keys finish-installation first");
    }
    const previous = this.ring.current;
    const text = generateKeyText();
    const next = await InstallationKey.fromText(text, "the new key");
    const earlier = [...this.ring.earlier, previous];
    const sealed = await Promise.all(earlier.map((key) => sealKey(next, key, EARLIER)));
    await this.#set.run(call, { name: ISSUER, value: this.#issuerId });
    await this.#set.run(call, { name: EARLIER, value: JSON.stringify(sealed) });
    await this.#set.run(call, { name: HANDOVER, value: await sealKey(previous, next, HANDOVER) });
    await this.#set.run(call, { name: KEY_CHECK, value: await next.checkValue() });
    kernelCall(call).afterCommit(() => this.ring.use(next, earlier));
    return text;
  }

  /**
   * Finishes a rotation: the previous key no longer suffices.
   *
   * @param configured the key in the configuration now
   * @throws RpcError conflict if it is not the current key, without which the next start would fail
   */
  async finish(call: Call, configured: InstallationKey): Promise<void> {
    if (await this.#value(call, HANDOVER) === undefined) {
      throw kernelErrors.conflict("no rotation of the installation key has begun: run keys rotate-installation first");
    }
    const { id } = this.ring.current;
    if (configured.id !== id) {
      throw kernelErrors.conflict(
        `the configured installation key is ${configured.id}: replace it by the new key ${id}`,
      );
    }
    await this.#remove.run(call, { name: HANDOVER });
  }

  /** Returns true from a rotation until it is finished. */
  async isUnfinished(call: Call): Promise<boolean> {
    return await this.#value(call, HANDOVER) !== undefined;
  }

  /** Forgets the earlier keys, under which no value must be sealed any more. */
  async dropEarlier(call: Call): Promise<void> {
    await this.#remove.run(call, { name: EARLIER });
    const { current } = this.ring;
    kernelCall(call).afterCommit(() => this.ring.use(current, []));
  }

  /** Returns the key in the configuration now. */
  async configured(): Promise<InstallationKey> {
    return await this.#options.readConfigured?.() ?? this.#options.configured;
  }

  async #currentKey(call: Call, check: string): Promise<InstallationKey> {
    for (const key of [this.ring.current, this.#options.configured]) if (await key.matches(check)) return key;
    const handover = await this.#value(call, HANDOVER);
    for (const key of [this.ring.current, this.#options.configured]) {
      if (handover?.split(".", 2)[1] === key.id) return await openKey(key, handover, HANDOVER);
    }
    const configured = await this.configured();
    await configured.requireMatch(check);
    return configured;
  }

  async #value(call: Call, name: string): Promise<string | undefined> {
    return (await this.#select.first(call, { name }))?.value;
  }
}

function placeOf(name: string) {
  return { table: "kernel_settings", column: "value", row: name };
}

function sealKey(sealingKey: InstallationKey, key: InstallationKey, name: string): Promise<string> {
  return sealingKey.sealer.seal(key.text, placeOf(name));
}

async function openKey(sealingKey: InstallationKey, sealed: string, name: string): Promise<InstallationKey> {
  try {
    return await InstallationKey.fromText(await sealingKey.sealer.open(sealed, placeOf(name)), name);
  } catch (cause) {
    throw new StartupError(`the setting ${name} in the database was changed: restore a backup`, { cause });
  }
}
