import { type Call, type ChosenAccessKey, newAccessKeyId, newAccessKeySecret } from "edgehelm";
import type { SecretKeeper } from "./secret_keeper.ts";
import type { Owner, UserAccessKeyStore } from "./store.ts";

/** A key as its owner gets it, once. */
export interface NewKey {
  readonly id: bigint;
  readonly uniqueId: string;
  readonly secret: string;
}

/** What a new key is to be. */
export interface KeyOrder {
  readonly owner: Owner;
  readonly description: string;
  /** The id and secret to take instead of random ones. */
  readonly chosen?: ChosenAccessKey | undefined;
  /** Throws unless the owner may have the key; runs in the transaction that makes it. */
  readonly check?: (call: Call) => Promise<void>;
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
  async make(call: Call, { owner, description, chosen, check }: KeyOrder): Promise<NewKey> {
    const { id: uniqueId, secret } = chosen ?? { id: newAccessKeyId(), secret: newAccessKeySecret() };
    const kept = await this.#keeper.keep(uniqueId, secret);
    const { id } = await call.transact(async (inner) => {
      await check?.(inner);
      return await this.#keys.insert.one(inner, { ...owner, uniqueId, secret: kept, description });
    });
    return { id, uniqueId, secret };
  }
}
