import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { CredentialHolder, CredentialSource, TokenRole } from "edgehelm/auth";
import type { Deps } from "./handlers.ts";
import manifest from "./plugin.json" with { type: "json" };
import { restrictionOf } from "./restrictions.ts";
import type { UserAccessKeyRow } from "./store.ts";

/** The time of last use is written at most once in this interval. */
const ACCESSED_AT_INTERVAL_SECONDS = 60n;

/** Verifies access keys for token exchanges, and checks that tokens are still valid. */
export function accessKeySource(
  { keys, codec, admins, users }: Pick<Deps, "keys" | "codec" | "admins" | "users">,
  clock: Clock,
): CredentialSource {
  async function isUsable(call: Call, role: TokenRole, row: UserAccessKeyRow): Promise<boolean> {
    const ownerId = subjectOf(role, row);
    if (row.isOn !== 1n || ownerId === 0n) return false;
    return await (role === "admin" ? admins : users)?.isLive(call, ownerId) ?? false;
  }

  async function touch(call: Call, { id, accessedAt }: UserAccessKeyRow): Promise<void> {
    const now = unixSeconds(clock);
    if (now - accessedAt < ACCESSED_AT_INTERVAL_SECONDS) return;
    await call.transact((inner) => keys.setAccessedAt.run(inner, { id, accessedAt: now }));
  }

  return {
    name: manifest.name,
    roles: ["admin", "user"],

    async verify(call, role, keyId, secret): Promise<CredentialHolder | undefined> {
      const row = await keys.byUniqueId.first(call, { uniqueId: keyId });
      const matches = row === undefined
        ? await codec.matchesNothing(secret)
        : await codec.matches(row.uniqueId, row.secret, secret);
      if (!matches || row === undefined || !await isUsable(call, role, row)) return undefined;
      await touch(call, row);
      return { subjectId: subjectOf(role, row), keyId: row.id, restriction: restrictionOf(row) };
    },

    async isLive(call, role, { subjectId, keyId }) {
      const row = await keys.byId.first(call, { id: keyId });
      if (row === undefined || subjectOf(role, row) !== subjectId || !await isUsable(call, role, row)) return false;
      return restrictionOf(row) ?? true;
    },
  };
}

function subjectOf(role: TokenRole, { adminId, userId }: UserAccessKeyRow): bigint {
  return role === "admin" ? adminId : userId;
}
