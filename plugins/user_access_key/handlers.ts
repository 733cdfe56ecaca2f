import { type Call, type Clock, type Handlers, idField, ownerOf, textField, unixSeconds } from "edgehelm";
import { type AccessTokens, type LoginAttempts, requireModule, requireSelfOrSuper } from "edgehelm/auth";
import type { Admins } from "../admin/contract.ts";
import type { Users } from "../user/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { errors } from "./errors.ts";
import type { KeyFactory } from "./keys.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ACCESS_KEYS } from "./quota.ts";
import { restrictionField, restrictionMessage } from "./restrictions.ts";
import type { SecretCodec } from "./secret_codec.ts";
import type { UserAccessKeyService } from "./proto/service_user_access_key_pb.ts";
import type { Owner, UserAccessKeyRow, UserAccessKeyStore } from "./store.ts";

export interface Deps {
  readonly keys: UserAccessKeyStore;
  readonly codec: SecretCodec;
  readonly keyFactory: KeyFactory;
  readonly admins: Admins | undefined;
  readonly users: Users | undefined;
  readonly tokens: AccessTokens;
  readonly quotas: UserQuotas | undefined;
  readonly attempts: LoginAttempts;
  readonly clock: Clock;
}

/** The time for which users see the secret of a new key, if it is not used before. */
const NEW_SECONDS = 3600n;

export function userAccessKeyHandlers(
  { keys, codec, keyFactory, admins, users, tokens, quotas, attempts, clock }: Deps,
): Handlers<typeof UserAccessKeyService> {
  /** Returns the owner of a request. The adminId of a user caller is ignored: it would give them admin access. */
  function requestOwner(call: Call, { userId, adminId }: Owner): Owner {
    const owner = ownerOf(call, 0n);
    return requireManaged(call, owner === 0n ? { userId, adminId } : { userId: owner, adminId: 0n });
  }

  /** Returns the owner if the caller may manage its keys: a user's with the module for users, an admin's as super or self. */
  function requireManaged<Keys extends Owner>(call: Call, owner: Keys): Keys {
    const { adminId, userId } = owner;
    if (adminId !== 0n) requireSelfOrSuper(call, adminId, `manage the access keys of admin ${adminId}`);
    if (userId !== 0n) requireModule(call, "user", `manage the access keys of user ${userId}`);
    return owner;
  }

  async function requireOwner(call: Call, { userId, adminId }: Owner): Promise<void> {
    if ((userId === 0n) === (adminId === 0n)) throw errors.no_owner();
    if (userId !== 0n) {
      if (!await users?.isLive(call, idField("userId", userId))) throw errors.user_missing(userId);
    } else if (!await admins?.isLive(call, idField("adminId", adminId))) throw errors.admin_missing(adminId);
  }

  /** Returns true if the caller may see the secret. Users may not for long, because a stolen token could read it. */
  function maySee(call: Call, { accessedAt, createdAt }: UserAccessKeyRow): boolean {
    if (call.caller.restriction !== undefined) return false;
    const isNew = accessedAt === 0n && unixSeconds(clock) - createdAt < NEW_SECONDS;
    return isNew || ownerOf(call, 0n) === 0n;
  }

  const endTokens = (call: Call, keyId: bigint) => tokens.end(call, { source: manifest.name, keyId });

  return {
    async createUserAccessKey(request, call) {
      requireUnrestricted(call);
      const owner = requestOwner(call, request);
      const restriction = restrictionField(clock, request.restriction);
      const description = textField("description", request.description, { max: 1000 });
      const check = async (inner: Call) => {
        await requireOwner(inner, owner);
        const count = async () => (await keys.list.count(inner, owner)).count;
        await quotas?.require(inner, ACCESS_KEYS, owner.userId, 1, count);
      };
      const { id, uniqueId, secret } = await keyFactory.create(call, { owner, description, restriction, check });
      return { userAccessKeyId: id, uniqueId, secret };
    },

    async findAllEnabledUserAccessKeys(request, call) {
      const rows = await keys.list.all(call, requestOwner(call, request));
      const userAccessKeys = await Promise.all(rows.map(async (row) => ({
        id: row.id,
        userId: row.userId,
        isOn: row.isOn === 1n,
        uniqueId: row.uniqueId,
        secret: maySee(call, row) ? await codec.reveal(row.uniqueId, row.secret) : "",
        description: row.description,
        accessedAt: row.accessedAt,
        restriction: restrictionMessage(row),
      })));
      // A transaction without changes: its audit record says who read secrets.
      if (userAccessKeys.some(({ secret }) => secret !== "")) await call.transact(() => Promise.resolve());
      return { userAccessKeys };
    },

    async deleteUserAccessKey({ userAccessKeyId }, call) {
      const { id } = requireManaged(call, await keys.require(call, "userAccessKeyId", userAccessKeyId));
      await keys.remove.run(call, { id });
      await endTokens(call, id);
      return {};
    },

    async updateUserAccessKeyIsOn({ userAccessKeyId, isOn, restriction }, call) {
      const columns = restrictionField(clock, restriction);
      if (columns !== undefined) requireUnrestricted(call);
      const key = await keys.require(call, "userAccessKeyId", userAccessKeyId);
      const { id, uniqueId } = requireManaged(call, key);
      await keys.setIsOn.run(call, { id, isOn });
      if (isOn && ownerOf(call, 0n) === 0n) await attempts.lift(call, `key ${uniqueId}`);
      if (columns !== undefined) {
        await keys.setRestriction.run(call, { id, ...columns });
        await tokens.recheck(call);
      }
      if (!isOn) await endTokens(call, id);
      return {};
    },

    countAllEnabledUserAccessKeys: (request, call) => keys.list.count(call, requestOwner(call, request)),
  };
}

/** Refuses callers whose own key is restricted: they could make a key without restrictions. */
function requireUnrestricted({ caller }: Call): void {
  if (caller.restriction !== undefined) throw errors.restricted();
}
