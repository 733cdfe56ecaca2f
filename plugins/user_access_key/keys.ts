import { type Call, type ChosenAccessKey, newAccessKeyId, newAccessKeySecret } from "edgehelm";
import type { SecretKeeper } from "./secret_keeper.ts";
import type { Owner, UserAccessKeyStore } from "./store.ts";

/** A key as its owner gets it, once. */
export interface NewKey {
  readonly id: bigint;
  readonly uniqueId: string;
  readonly secret: string;
}

/** Makes keys: the secret is sealed before the transaction begins. */
export class KeyMaker {
  readonly #keys: UserAccessKeyStore;
  readonly #keeper: SecretKeeper;

  constructor(keys: UserAccessKeyStore, keeper: SecretKeeper) {
    this.#keys = keys;
    this.#keeper = keeper;
  }

  /** Makes a key in the call's transaction, or in one of its own. */
  async make(call: Call, owner: Owner, description: string, chosen?: ChosenAccessKey): Promise<NewKey> {
    const { id: uniqueId, secret } = chosen ?? { id: newAccessKeyId(), secret: newAccessKeySecret() };
    const kept = await this.#keeper.keep(uniqueId, secret);
    const { id } = await call.transact((inner) =>
      this.#keys.insert.one(inner, { ...owner, uniqueId, secret: kept, description })
    );
    return { id, uniqueId, secret };
  }
}
