import { type Call, type Clock, unixSeconds } from "edgehelm";
import { addressGroup } from "edgehelm/auth";
import type { Events } from "edgehelm/runtime";
import type { FactorOwner, LoginAddresses } from "./contract.ts";
import { adminSignedIn, userSignedIn } from "./events.ts";
import { type AddressStore, columnsOf } from "./store.ts";

const MAX_ADDRESSES = 20;

/** Remembers the addresses from which people signed in. */
export class KnownAddresses implements LoginAddresses {
  readonly #store: AddressStore;
  readonly #events: Events;
  readonly #clock: Clock;

  constructor(store: AddressStore, events: Events, clock: Clock) {
    this.#store = store;
    this.#events = events;
    this.#clock = clock;
  }

  async signedIn(call: Call, owner: FactorOwner, address: string): Promise<void> {
    if (address === "") return;
    const [group, columns, seenAt] = [addressGroup(address), columnsOf(owner), unixSeconds(this.#clock)];
    const known = await this.#store.ofOwner.all(call, { ...columns, limit: MAX_ADDRESSES + 1 });
    const found = known.find((row) => row.address === group);
    if (found !== undefined) return void await this.#store.setSeen.run(call, { id: found.id, seenAt });
    await this.#store.insert.run(call, { ...columns, address: group, seenAt });
    const forgotten = known.slice(MAX_ADDRESSES - 1).map(({ id }) => id);
    if (forgotten.length > 0) await this.#store.remove.run(call, { ids: forgotten });
    if (known.length > 0) await this.#emit(call, owner, address);
  }

  async #emit(call: Call, { role, subjectId }: FactorOwner, address: string): Promise<void> {
    if (role === "admin") await this.#events.emit(call, adminSignedIn, { adminId: subjectId, address });
    else await this.#events.emit(call, userSignedIn, { userId: subjectId, address }, subjectId);
  }

  /** Forgets up to `limit` addresses of a person who is deleted. Returns their number. */
  async remove(call: Call, owner: FactorOwner, limit = MAX_ADDRESSES + 1): Promise<number> {
    const known = await this.#store.ofOwner.all(call, { ...columnsOf(owner), limit });
    if (known.length > 0) await this.#store.remove.run(call, { ids: known.map(({ id }) => id) });
    return known.length;
  }
}
