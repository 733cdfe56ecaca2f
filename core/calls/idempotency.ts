import { hexText } from "../base/hex.ts";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { sql } from "kysely";
import type { Sealer } from "../auth/sealer.ts";
import { type Call, callerId } from "../base/call.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import { defineErrors, invalid, RpcError } from "../base/errors.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

const RETENTION_SECONDS = 86_400n;
const PRUNE_BATCH_SIZE = 5000;
/** SQLite's internal row number. */
const ROW_ID = sql.ref<bigint>("rowid");
const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/** The errors of idempotency keys. */
export const idempotencyErrors = defineErrors("idempotency", {
  mismatch: ["conflict", (key: string) => `the idempotency key "${key}" was used for a different request`],
  unfinished: [
    "conflict",
    (key: string) => `a request with the idempotency key "${key}" is in progress, or its outcome is unknown`,
  ],
});

/** Returns true if the error means that the first request with the key may still complete. */
export function isInProgress(error: unknown): boolean {
  return error instanceof RpcError && error.reason === "idempotency.unfinished";
}

/** The idempotency key of a request. A retry with the same key does not repeat the work. */
export interface IdempotencyKey {
  readonly key: string;
  /** The SHA-256 digest of the request, which detects the use of one key for different requests. */
  readonly fingerprint: string;
}

/** @throws RpcError invalid if the key is malformed */
export async function idempotencyKey(key: string, request: Uint8Array<ArrayBuffer>): Promise<IdempotencyKey> {
  if (!KEY_PATTERN.test(key)) throw invalid("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", request));
  return { key, fingerprint: hexText(digest) };
}

type RecordKey = { caller: string; operation: string; key: string };

/** Stores the responses to requests with an idempotency key for a day, in the transactions of the requests. */
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
    this.#find = db.query((q, p: RecordKey) =>
      q.selectFrom("kernel_idempotency").select(["fingerprint", "response"])
        .where("caller", "=", p.caller).where("operation", "=", p.operation).where("key", "=", p.key)
    );
    this.#claim = db.query((q, p: RecordKey & { fingerprint: string; createdAt: bigint }) =>
      q.insertInto("kernel_idempotency").values({
        caller: p.caller,
        operation: p.operation,
        key: p.key,
        fingerprint: p.fingerprint,
        createdAt: p.createdAt,
        response: null,
      })
    );
    this.#finish = db.query((q, p: RecordKey & { response: string }) =>
      q.updateTable("kernel_idempotency").set({ response: p.response })
        .where("caller", "=", p.caller).where("operation", "=", p.operation).where("key", "=", p.key)
    );
    this.#release = db.query((q, p: RecordKey) =>
      q.deleteFrom("kernel_idempotency")
        .where("caller", "=", p.caller).where("operation", "=", p.operation).where("key", "=", p.key)
    );
    this.#prune = db.query((q, p: { before: bigint }) =>
      q.deleteFrom("kernel_idempotency").where(
        ROW_ID,
        "in",
        (old) =>
          old.selectFrom("kernel_idempotency").select(ROW_ID.as("id")).where("createdAt", "<", p.before)
            .limit(PRUNE_BATCH_SIZE),
      )
    );
  }

  /**
   * Returns the stored response to an earlier request with the key. If there was none, claims the key for this request
   * and returns undefined.
   *
   * @throws RpcError conflict if the key was used for a different request, or its first request has no response yet
   */
  async replayOrClaim(
    call: Call,
    operation: string,
    { key, fingerprint }: IdempotencyKey,
  ): Promise<Uint8Array | undefined> {
    const recordKey = recordKeyOf(call, operation, key);
    const found = await this.#find.first(call, recordKey);
    if (found === undefined) {
      await this.#claim.defer(call, { ...recordKey, fingerprint, createdAt: unixSeconds(this.#clock) });
      return undefined;
    }
    if (found.fingerprint !== fingerprint) throw idempotencyErrors.mismatch(key);
    if (found.response === null) throw idempotencyErrors.unfinished(key).retryAfter(1);
    return base64Decode(await this.#sealer.open(found.response, sealedPlace(recordKey)));
  }

  /** Stores the response to the request that claimed the key. */
  async finish(call: Call, operation: string, { key }: IdempotencyKey, response: Uint8Array): Promise<void> {
    const recordKey = recordKeyOf(call, operation, key);
    // Sealed, because responses may contain secrets, such as a new access key or a token.
    const sealed = await this.#sealer.seal(base64Encode(response), sealedPlace(recordKey));
    await this.#finish.defer(call, { ...recordKey, response: sealed });
  }

  /** Releases the key after an error that changed nothing. */
  async release(call: Call, operation: string, { key }: IdempotencyKey): Promise<void> {
    await this.#release.run(call, recordKeyOf(call, operation, key));
  }

  /** Deletes a batch of expired records. Returns true if there may be more. */
  async prune(call: Call): Promise<boolean> {
    const deleted = await this.#prune.run(call, { before: unixSeconds(this.#clock) - RETENTION_SECONDS });
    return deleted === BigInt(PRUNE_BATCH_SIZE);
  }
}

function recordKeyOf(call: Call, operation: string, key: string): RecordKey {
  return { caller: `${call.caller.role}:${callerId(call.caller)}`, operation, key };
}

function sealedPlace(recordKey: RecordKey) {
  return { table: "kernel_idempotency", column: "response", row: JSON.stringify(recordKey) };
}
