import { type Call, type Clock, type Db, unixSeconds } from "edgehelm";
import type { Events } from "edgehelm/runtime";
import { inBatches } from "edgehelm/storage";
import type { ServerSummary } from "../server/contract.ts";
import { dayOfNumber, slotStart } from "./days.ts";
import { attacked } from "./events.ts";
import type { SlotRow, Tables } from "./store.ts";

const DEFAULT_REQUESTS = 1000;
/** A site that had fewer attacks for longer is attacked again. Older uploads are no news. */
const QUIET_SECONDS = 3600n;
const DELETE_BATCH_SIZE = 1000;

interface Deps {
  readonly db: Db<Tables>;
  readonly events: Events;
  readonly clock: Clock;
  /** The number of requests in five minutes that is an event; undefined for the default, 0 for never. */
  readonly requests: number | undefined;
}

/** Emits that sites are attacked, once until an attack has ended. */
export class Attacks {
  readonly #store: ReturnType<typeof attackStore>;
  readonly #events: Events;
  readonly #clock: Clock;
  readonly #requests: bigint;

  constructor({ db, events, clock, requests = DEFAULT_REQUESTS }: Deps) {
    this.#store = attackStore(db);
    this.#events = events;
    this.#clock = clock;
    this.#requests = BigInt(requests);
  }

  /** Looks at the five minutes of an upload, after it was added, in its transaction. */
  async uploaded(call: Call, slots: readonly SlotRow[], servers: ReadonlyMap<bigint, ServerSummary>): Promise<void> {
    const since = unixSeconds(this.#clock) - QUIET_SECONDS;
    const recent = slots.map((row) => ({ ...row, beganAt: this.#beginOf(row) }))
      .filter(({ countAttackRequests, beganAt }) => countAttackRequests > 0n && beganAt >= since);
    if (this.#requests === 0n || recent.length === 0) return;
    for (const { serverId, day, slot, userId, beganAt } of recent) {
      const { count } = await this.#store.sum.one(call, { serverId, day, slot });
      if (count < this.#requests) continue;
      const { lastAt } = await this.#store.find.first(call, { serverId }) ?? {};
      if (lastAt === undefined || beganAt > lastAt) await this.#store.set.run(call, { serverId, lastAt: beganAt });
      if (lastAt !== undefined && beganAt <= lastAt + QUIET_SECONDS) continue;
      const data = { serverId, name: servers.get(serverId)?.name ?? "", countAttackRequests: count, beganAt };
      await this.#events.emit(call, attacked, data, userId);
    }
  }

  /** Deletes attacks that have ended. */
  async removeOld(call: Call): Promise<void> {
    const before = unixSeconds(this.#clock) - 2n * QUIET_SECONDS;
    await inBatches(call, DELETE_BATCH_SIZE, (inner, limit) => this.#store.removeSome.run(inner, { before, limit }));
  }

  #beginOf({ day, slot }: SlotRow): bigint {
    return BigInt(slotStart(this.#clock, { day: dayOfNumber(day), slot: Number(slot) }));
  }
}

function attackStore(db: Db<Tables>) {
  return {
    /** Sums over the owners that a site had in the five minutes. */
    sum: db.query((q, p: { serverId: bigint; day: bigint; slot: bigint }) =>
      q.selectFrom("serverFiveMinuteStats").select((e) => e.fn.sum<bigint>("countAttackRequests").as("count"))
        .where("serverId", "=", p.serverId).where("day", "=", p.day).where("slot", "=", p.slot)
    ),
    find: db.query((q, p: { serverId: bigint }) =>
      q.selectFrom("serverAttacks").select("lastAt").where("serverId", "=", p.serverId)
    ),
    set: db.query((q, p: { serverId: bigint; lastAt: bigint }) =>
      q.insertInto("serverAttacks").values({ serverId: p.serverId, lastAt: p.lastAt })
        .onConflict((conflict) => conflict.column("serverId").doUpdateSet({ lastAt: p.lastAt }))
    ),
    removeSome: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("serverAttacks").where(
        "serverId",
        "in",
        (attacks) =>
          attacks.selectFrom("serverAttacks").select("serverId").where("lastAt", "<", p.before).limit(p.limit),
      )
    ),
  };
}
