import { constantTimeEqual, newAccessKeySecret, type Sealer } from "edgehelm/auth";
import { hexText } from "edgehelm/wire";
import { HASHED } from "./store.ts";

/** Encodes secrets for storage: encrypted, so that lists can return them, or hashed. */
export interface SecretCodec {
  /** Returns the text to store for the secret of a key. */
  encode(uniqueId: string, secret: string): Promise<string>;
  /** Returns the hash of a secret that is stored encrypted. */
  hashed(uniqueId: string, stored: string): Promise<string>;
  /** Returns the secret in plain text; empty if it is stored as a hash or secrets are returned only once. */
  reveal(uniqueId: string, stored: string): Promise<string>;
  /** Returns true if the secret matches the stored text. */
  matches(uniqueId: string, stored: string, secret: string): Promise<boolean>;
  /** Returns false after as much work as `matches`; for ids that do not exist. */
  matchesNothing(secret: string): Promise<false>;
}

/**
 * Creates a codec.
 *
 * @param once If true, new secrets are hashed and no secret is revealed. Keys stored the other way remain valid.
 */
export async function secretCodec(sealer: Sealer, once: boolean): Promise<SecretCodec> {
  const codec: SecretCodec = {
    encode: (uniqueId, secret) => once ? hash(secret) : sealer.seal(secret, place(uniqueId)),
    hashed: async (uniqueId, stored) => await hash(await sealer.open(stored, place(uniqueId))),
    reveal: async (uniqueId, stored) =>
      once || stored.startsWith(HASHED) ? "" : await sealer.open(stored, place(uniqueId)),
    async matches(uniqueId, stored, secret) {
      // always do both, so that the duration does not reveal how a key is stored, or if it exists
      const isHashed = stored.startsWith(HASHED);
      const digest = await hash(secret);
      const opened = await (isHashed ? sealer.open(decoy, place(DECOY)) : sealer.open(stored, place(uniqueId)));
      return await (isHashed ? constantTimeEqual(stored, digest) : constantTimeEqual(opened, secret));
    },
    async matchesNothing(secret) {
      await codec.matches(DECOY, decoy, secret);
      return false;
    },
  };
  const decoy = await sealer.seal(newAccessKeySecret(), place(DECOY));
  return codec;
}

const DECOY = "decoy";

function place(uniqueId: string) {
  return { table: "userAccessKeys", column: "secret", row: uniqueId };
}

/** Hashes a secret. A plain digest suffices, because secrets are long and random. */
async function hash(secret: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret)));
  return HASHED + hexText(digest);
}
