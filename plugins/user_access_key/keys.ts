import type { Call } from "edgehelm";
import { newAccessKeyId, newAccessKeySecret } from "edgehelm/auth";
import type { ChosenAccessKey } from "edgehelm/runtime";
import type { SecretCodec } from "./secret_codec.ts";
import type { Owner, UserAccessKeyStore } from "./store.ts";

/** A new key with its secret, which is returned only once. */
export interface NewKey {
  readonly id: bigint;
  readonly uniqueId: string;
  readonly secret: string;
}

/** The properties of a key to create. */
export interface KeyOptions {
  readonly owner: Owner;
  readonly description: string;
  /** The id and secret to use instead of random ones. */
  readonly chosen?: ChosenAccessKey | undefined;
  /** Throws if the owner may not have the key; called in the transaction that creates the key. */
  readonly check?: (call: Call) => Promise<void>;
}

/** Creates keys. The secret is encoded before the transaction begins. */
export class KeyFactory {
  readonly #keys: UserAccessKeyStore;
  readonly #codec: SecretCodec;

  constructor(keys: UserAccessKeyStore, codec: SecretCodec) {
    this.#keys = keys;
    this.#codec = codec;
  }

  /** Creates a key in the transaction of the call, or in a new one. */
  async create(call: Call, { owner, description, chosen, check }: KeyOptions): Promise<NewKey> {
    const { id: uniqueId, secret } = chosen ?? { id: newAccessKeyId(), secret: newAccessKeySecret() };
    const storedSecret = await this.#codec.encode(uniqueId, secret);
    const { id } = await call.transact(async (inner) => {
      await check?.(inner);
      return await this.#keys.insert.one(inner, { ...owner, uniqueId, secret: storedSecret, description });
    });
    return { id, uniqueId, secret };
  }
}
