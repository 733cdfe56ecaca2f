import type { Call } from "edgehelm";
import type { AccessTokens } from "edgehelm/auth";
import manifest from "../plugin.json" with { type: "json" };
import type { SessionRow, SessionStore } from "../store.ts";

interface EndingDeps {
  readonly store: SessionStore;
  readonly tokens: AccessTokens;
}

/** Ends a session and its tokens. Call it in a transaction. */
export async function endSession({ store, tokens }: EndingDeps, call: Call, row: SessionRow): Promise<void> {
  await store.remove.run(call, row);
  await tokens.end(call, { source: manifest.name, keyId: row.id });
}
