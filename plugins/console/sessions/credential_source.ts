import { type Clock, unixSeconds } from "edgehelm";
import type { CredentialSource } from "edgehelm/auth";
import manifest from "../plugin.json" with { type: "json" };
import type { SessionStore } from "../store.ts";
import type { Sessions } from "./sessions.ts";

/** The lifetime of the tokens that pages hold. */
const TOKEN_SECONDS = 300n;

/** Lets a session be exchanged for tokens, which end with it. */
export function sessionSource(sessions: Sessions, store: SessionStore, clock: Clock): CredentialSource {
  return {
    name: manifest.name,
    roles: ["admin", "user"],

    async verify(call, role, uniqueId, secret) {
      const row = await sessions.find(call, { uniqueId, secret });
      if (row === undefined || row.role !== role) return undefined;
      const standing = await sessions.standing(call, row);
      if (standing === false) return undefined;
      await sessions.touch(call, row);
      const restriction = standing === true ? { addresses: [], operations: [], isReadOnly: false } : standing;
      const ends = [unixSeconds(clock) + TOKEN_SECONDS, row.expiresAt, standing === true ? 0n : standing.expiresAt];
      const expiresAt = ends.filter((end) => end > 0n).reduce((first, end) => end < first ? end : first);
      return { subjectId: row.subjectId, keyId: row.id, restriction: { ...restriction, expiresAt } };
    },

    async isLive(call, role, { subjectId, keyId }) {
      const row = await store.byId.first(call, { id: keyId });
      if (row === undefined || row.role !== role || row.subjectId !== subjectId) return false;
      return await sessions.standing(call, row);
    },
  };
}
