import type { Call } from "../base/call.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { Db } from "../storage/database.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import { anyOf } from "../storage/parameters.ts";
import type { TokenHolder } from "./credentials.ts";
import type { TokenClaims } from "./token_claims.ts";

const PRUNE_BATCH_SIZE = 5000;
/** The minimum retention: 90 days, because tokens may be older than the current setting of their lifetime. */
const MIN_RETENTION_SECONDS = 90 * 86_400;

/**
 * The holders whose tokens have ended, each with the revocation epoch of the end. Tokens of earlier epochs stay refused,
 * whatever happens to the holder later.
 */
export class EndedTokens {
  readonly #clock: Clock;
  readonly #retentionSeconds: bigint;
  readonly #latest;
  readonly #set;
  readonly #prune;

  constructor(db: Db<KernelTables>, clock: Clock, tokenLifetimeSeconds: number) {
    this.#clock = clock;
    this.#retentionSeconds = BigInt(Math.max(tokenLifetimeSeconds, MIN_RETENTION_SECONDS));
    this.#latest = db.query((q, p: { holders: string[] }) =>
      q.selectFrom("kernel_ended_tokens").select("epoch").where("holder", "in", anyOf(p.holders))
        .orderBy("epoch", "desc").limit(1)
    );
    this.#set = db.query((q, p: KernelTables["kernel_ended_tokens"]) =>
      q.insertInto("kernel_ended_tokens").values({ holder: p.holder, epoch: p.epoch, endedAt: p.endedAt })
        .onConflict((conflict) => conflict.column("holder").doUpdateSet({ epoch: p.epoch, endedAt: p.endedAt }))
    );
    this.#prune = db.query((q, p: { before: bigint }) =>
      q.deleteFrom("kernel_ended_tokens").where(
        "holder",
        "in",
        (old) =>
          old.selectFrom("kernel_ended_tokens").select("holder").where("endedAt", "<", p.before)
            .limit(PRUNE_BATCH_SIZE),
      )
    );
  }

  /** Ends the tokens of a holder that were issued before `epoch`. */
  async end(call: Call, holder: TokenHolder, epoch: bigint): Promise<void> {
    await this.#set.run(call, { holder: holderName(holder), epoch, endedAt: unixSeconds(this.#clock) });
  }

  /** Returns true if the token's admin, user, node or credential ended its tokens after it was issued. */
  async includes(call: Call, { role, subjectId, source, keyId, epoch }: TokenClaims): Promise<boolean> {
    const holders = [holderName({ role, subjectId }), holderName({ source, keyId })];
    const ended = await this.#latest.first(call, { holders });
    return ended !== undefined && ended.epoch > epoch;
  }

  /** Deletes a batch of rows that concern expired tokens only. Returns true if there may be more. */
  async prune(call: Call): Promise<boolean> {
    const before = unixSeconds(this.#clock) - this.#retentionSeconds;
    return await this.#prune.run(call, { before }) === BigInt(PRUNE_BATCH_SIZE);
  }
}

function holderName(holder: TokenHolder): string {
  return "role" in holder ? `${holder.role} ${holder.subjectId}` : `key ${holder.source} ${holder.keyId}`;
}
