import type { KeyRow, ZoneRow } from "./store.ts";
import type { Waits } from "./waits.ts";

/** The state of a domain, as responses have it. */
export type Status = "off" | "signed" | "rolling" | "disabling";

/** The keys of a zone by what they do now. */
export class KeySet {
  readonly zone: ZoneRow;
  readonly keys: readonly KeyRow[];
  readonly #waits: Waits;

  constructor(zone: ZoneRow, keys: readonly KeyRow[], waits: Waits) {
    this.zone = zone;
    this.keys = keys;
    this.#waits = waits;
  }

  get status(): Status {
    if (this.zone.disableAt !== 0n) return "disabling";
    return this.newKSK === undefined ? "signed" : "rolling";
  }

  /** The key signing keys that no other replaces yet, the oldest first: two of them during a replacement. */
  get currentKSKs(): readonly KeyRow[] {
    return this.keys.filter(({ role, retireAt }) => role === "KSK" && retireAt === 0n);
  }

  /** The key that waits for its DS record in place of that of another one. */
  get newKSK(): KeyRow | undefined {
    return this.currentKSKs.length > 1 ? this.currentKSKs.at(-1) : undefined;
  }

  /** The zone signing key that no other replaces yet. */
  get lastZSK(): KeyRow | undefined {
    return this.keys.findLast(({ role, retireAt }) => role === "ZSK" && retireAt === 0n);
  }

  /** The earliest time to publish the DS record of the last key signing key. */
  get publishDSAt(): bigint {
    const last = this.currentKSKs.at(-1);
    if (last === undefined) return 0n;
    // no resolver can have other keys of a domain that was not signed
    return last.publishAt + (last.publishAt === this.zone.createdAt ? this.#waits.propagation : this.#waits.publish);
  }

  /** The time at which the next zone signing key is made; 0 while the keys are about to be erased. */
  get nextZSKAt(): bigint {
    if (this.zone.disableAt !== 0n || this.lastZSK === undefined) return 0n;
    return this.lastZSK.activeAt + this.#waits.zskLifetime;
  }

  /** The time of the next step of the job. */
  get nextAt(): bigint {
    const waiting = this.zone.disableAt === 0n && this.newKSK?.isAnnounced === 0n ? this.publishDSAt : 0n;
    const times = [this.zone.disableAt, this.nextZSKAt, waiting, ...this.keys.map(({ removeAt }) => removeAt)];
    return times.filter((time) => time !== 0n).reduce((a, b) => a < b ? a : b);
  }
}
