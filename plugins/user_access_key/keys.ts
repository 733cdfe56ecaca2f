import { type Call, type Clock, unixSeconds } from "edgehelm";
import { newAccessKeyId, newAccessKeySecret } from "edgehelm/auth";
import type { ChosenAccessKey, Events } from "edgehelm/runtime";
import { keyMade } from "./events.ts";
import { type RestrictionColumns, UNRESTRICTED } from "./restrictions.ts";
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
  /** The restriction of the key; left out if there is none. */
  readonly restriction?: RestrictionColumns | undefined;
  /** The id and secret to use instead of random ones. */
  readonly chosen?: ChosenAccessKey | undefined;
  /** Throws if the owner may not have the key; called in the transaction that creates the key. */
  readonly check?: (call: Call) => Promise<void>;
}

/** Creates keys. The secret is encoded before the transaction begins. */
export class KeyFactory {
  readonly #keys: UserAccessKeyStore;
  readonly #codec: SecretCodec;
  readonly #clock: Clock;
  readonly #events: Events;

  constructor(keys: UserAccessKeyStore, codec: SecretCodec, clock: Clock, events: Events) {
    this.#keys = keys;
    this.#codec = codec;
    this.#clock = clock;
    this.#events = events;
  }

  /** Creates a key in the transaction of the call, or in a new one. */
  async create(
    call: Call,
    { owner, description, restriction = UNRESTRICTED, chosen, check }: KeyOptions,
  ): Promise<NewKey> {
    const { id: uniqueId, secret } = chosen ?? { id: newAccessKeyId(), secret: newAccessKeySecret() };
    const storedSecret = await this.#codec.encode(uniqueId, secret);
    const { id } = await call.transact(async (inner) => {
      await check?.(inner);
      const createdAt = unixSeconds(this.#clock);
      const row = { ...owner, ...restriction, uniqueId, secret: storedSecret, description, createdAt };
      const inserted = await this.#keys.insert.one(inner, row);
      const caller = { madeBy: inner.caller.role, address: inner.remoteAddress ?? "" };
      const made = { userAccessKeyId: inserted.id, uniqueId, adminId: owner.adminId, description, ...caller };
      await this.#events.emit(inner, keyMade, made, owner.userId);
      return inserted;
    });
    return { id, uniqueId, secret };
  }
}
