import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { sql } from "kysely";
import type { Sealer } from "../auth/sealer.ts";
import { type Call, callerId } from "../base/call.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import { defineErrors, invalid, RpcError } from "../base/errors.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

const KEPT_SECONDS = 86_400n;
const PRUNED_AT_ONCE = 5000;
/** What SQLite numbers the rows with. */
const ROW_ID = sql.ref<bigint>("rowid");
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

const errors = defineErrors("idempotency", {
  mismatch: ["conflict", (key: string) => `the idempotency key "${key}" was used for a different request`],
  unfinished: [
    "conflict",
    (key: string) => `a request with the idempotency key "${key}" is under way, or its outcome is not known`,
  ],
});

/** Whether the first request with a key may be answered yet. */
export function isUnderWay(error: unknown): boolean {
  return error instanceof RpcError && error.reason === "idempotency.unfinished";
}

/** What a client sends so that a retry cannot do the work twice. */
export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 of the request, so that a key cannot stand for two requests. */
  readonly fingerprint: string;
}

export async function idempotencyKey(key: string, request: Uint8Array<ArrayBuffer>): Promise<IdempotencyKey> {
  if (!KEY_FORM.test(key)) throw invalid("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", request));
  return { key, fingerprint: Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

type Place = { caller: string; operation: string; key: string };

/** Remembers for a day what was answered to requests that carry an idempotency key, in their own transactions. */
export class Idempotency {
  readonly #clock: Clock;
  readonly #sealer: Sealer;
  readonly #find;
  readonly #claim;
  readonly #finish;
  readonly #release;
  readonly #prune;

  constructor(db: Db<KernelTables>, clock: Clock, sealer: Sealer) {
    this.#clock = clock;
    this.#sealer = sealer;
    this.#find = db.query((q, p: Place) =>
      q.selectFrom("kernel_idempotency").select(["fingerprint", "response"])
        .where("caller", "=", p.caller).where("operation", "=", p.operation).where("key", "=", p.key)
    );
    this.#claim = db.query((q, p: Place & { fingerprint: string; createdAt: bigint }) =>
      q.insertInto("kernel_idempotency").values({
        caller: p.caller,
        operation: p.operation,
        key: p.key,
        fingerprint: p.fingerprint,
        createdAt: p.createdAt,
        response: null,
      })
    );
    this.#finish = db.query((q, p: Place & { response: string }) =>
      q.updateTable("kernel_idempotency").set({ response: p.response })
        .where("caller", "=", p.caller).where("operation", "=", p.operation).where("key", "=", p.key)
    );
    this.#release = db.query((q, p: Place) =>
      q.deleteFrom("kernel_idempotency")
        .where("caller", "=", p.caller).where("operation", "=", p.operation).where("key", "=", p.key)
    );
    this.#prune = db.query((q, p: { before: bigint }) =>
      q.deleteFrom("kernel_idempotency").where(
        ROW_ID,
        "in",
        (old) =>
          old.selectFrom("kernel_idempotency").select(ROW_ID.as("id")).where("createdAt", "<", p.before)
            .limit(PRUNED_AT_ONCE),
      )
    );
  }

  /** The answer that was given before, or undefined after claiming the key for this request. */
  async replayOrClaim(
    call: Call,
    operation: string,
    { key, fingerprint }: IdempotencyKey,
  ): Promise<Uint8Array | undefined> {
    const place = placeOf(call, operation, key);
    const known = await this.#find.first(call, place);
    if (known === undefined) {
      await this.#claim.defer(call, { ...place, fingerprint, createdAt: unixSeconds(this.#clock) });
      return undefined;
    }
    if (known.fingerprint !== fingerprint) throw errors.mismatch(key);
    if (known.response === null) throw errors.unfinished(key).retryAfter(1);
    return base64Decode(await this.#sealer.open(known.response, sealedPlace(place)));
  }

  async finish(call: Call, operation: string, { key }: IdempotencyKey, response: Uint8Array): Promise<void> {
    const place = placeOf(call, operation, key);
    // Sealed, since answers may hold secrets: a key that was made, a token that was given.
    const sealed = await this.#sealer.seal(base64Encode(response), sealedPlace(place));
    await this.#finish.defer(call, { ...place, response: sealed });
  }

  /** Gives the key back after a failure that changed nothing. */
  async release(call: Call, operation: string, { key }: IdempotencyKey): Promise<void> {
    await this.#release.run(call, placeOf(call, operation, key));
  }

  /** Removes what is too old, a bounded number at a time; true when there may be more. */
  async prune(call: Call): Promise<boolean> {
    const removed = await this.#prune.run(call, { before: unixSeconds(this.#clock) - KEPT_SECONDS });
    return removed === BigInt(PRUNED_AT_ONCE);
  }
}

function placeOf(call: Call, operation: string, key: string): Place {
  return { caller: `${call.caller.role}:${callerId(call.caller)}`, operation, key };
}

function sealedPlace(place: Place) {
  return { table: "kernel_idempotency", column: "response", row: JSON.stringify(place) };
}
