import { constantTimeEqual, newAccessKeySecret, type Sealer } from "edgehelm";

const HASHED = "sha256.";

/** How secrets rest in the table: sealed, so that lists can show them, or hashed, so that nothing can. */
export interface SecretKeeper {
  /** What to store for a key's secret. */
  keep(uniqueId: string, secret: string): Promise<string>;
  /** The secret in clear; empty when only its hash is kept. */
  reveal(uniqueId: string, kept: string): Promise<string>;
  /** Whether the secret is the one that was kept. */
  matches(uniqueId: string, kept: string, secret: string): Promise<boolean>;
  /** Costs what `matches` costs and answers false: for an id that does not exist. */
  matchesNothing(secret: string): Promise<false>;
}

/**
 * @param once true: the secret is shown when it is made and never again. Keys that were made the other way before still
 *   work.
 */
export async function secretKeeper(sealer: Sealer, once: boolean): Promise<SecretKeeper> {
  const keeper: SecretKeeper = {
    keep: (uniqueId, secret) => once ? hashed(secret) : sealer.seal(secret, place(uniqueId)),
    reveal: async (uniqueId, kept) => once || kept.startsWith(HASHED) ? "" : await sealer.open(kept, place(uniqueId)),
    async matches(uniqueId, kept, secret) {
      // Both are computed, so that time does not tell how, or whether, a key is kept.
      const isHashed = kept.startsWith(HASHED);
      const digest = await hashed(secret);
      const opened = await (isHashed ? sealer.open(decoy, place(DECOY)) : sealer.open(kept, place(uniqueId)));
      return await (isHashed ? constantTimeEqual(kept, digest) : constantTimeEqual(opened, secret));
    },
    async matchesNothing(secret) {
      await keeper.matches(DECOY, decoy, secret);
      return false;
    },
  };
  const decoy = await sealer.seal(newAccessKeySecret(), place(DECOY));
  return keeper;
}

const DECOY = "decoy";

function place(uniqueId: string) {
  return { table: "userAccessKeys", column: "secret", row: uniqueId };
}

/** A plain digest is enough: the secret is random and long. */
async function hashed(secret: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret)));
  return HASHED + Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
