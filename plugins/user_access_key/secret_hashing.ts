import type { Call } from "edgehelm";
import type { SecretCodec } from "./secret_codec.ts";
import type { UserAccessKeyStore } from "./store.ts";

const BATCH_SIZE = 200;

/** Replaces the secrets that are stored encrypted by their hashes. It can be interrupted at any point. */
export async function hashSecrets(call: Call, keys: UserAccessKeyStore, codec: SecretCodec): Promise<void> {
  for (;;) {
    const rows = await keys.someEncrypted.all(call, { limit: BATCH_SIZE });
    if (rows.length === 0) return;
    const hashed = await Promise.all(rows.map(async ({ id, uniqueId, secret }) => ({
      id,
      secret: await codec.hashed(uniqueId, secret),
    })));
    await call.transact(async (inner) => {
      for (const row of hashed) await keys.setSecret.run(inner, row);
    });
  }
}
