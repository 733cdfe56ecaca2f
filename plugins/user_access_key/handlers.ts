import { type Call, type Handlers, idField, ownerOf, textField } from "edgehelm";
import { type AccessTokens, requireModule, requireSelfOrSuper } from "edgehelm/auth";
import type { Admins } from "../admin/contract.ts";
import type { Users } from "../user/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { errors } from "./errors.ts";
import type { KeyFactory } from "./keys.ts";
import { ACCESS_KEYS } from "./quota.ts";
import type { SecretCodec } from "./secret_codec.ts";
import type { UserAccessKeyService } from "./proto/service_user_access_key_pb.ts";
import type { Owner, UserAccessKeyStore } from "./store.ts";

export interface Deps {
  readonly keys: UserAccessKeyStore;
  readonly codec: SecretCodec;
  readonly keyFactory: KeyFactory;
  readonly admins: Admins | undefined;
  readonly users: Users | undefined;
  readonly tokens: AccessTokens;
  readonly quotas: UserQuotas | undefined;
}

export function userAccessKeyHandlers(
  { keys, codec, keyFactory, admins, users, tokens, quotas }: Deps,
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

  return {
    async createUserAccessKey(request, call) {
      const owner = requestOwner(call, request);
      const description = textField("description", request.description, { max: 1000 });
      const check = async (inner: Call) => {
        await requireOwner(inner, owner);
        const count = async () => (await keys.list.count(inner, owner)).count;
        await quotas?.require(inner, ACCESS_KEYS, owner.userId, 1, count);
      };
      const { id, uniqueId, secret } = await keyFactory.create(call, { owner, description, check });
      return { userAccessKeyId: id, uniqueId, secret };
    },

    async findAllEnabledUserAccessKeys(request, call) {
      const rows = await keys.list.all(call, requestOwner(call, request));
      const userAccessKeys = rows.map(async ({ id, userId, isOn, uniqueId, secret, description, accessedAt }) => ({
        id,
        userId,
        isOn: isOn === 1n,
        uniqueId,
        secret: await codec.reveal(uniqueId, secret),
        description,
        accessedAt,
      }));
      return { userAccessKeys: await Promise.all(userAccessKeys) };
    },

    async deleteUserAccessKey({ userAccessKeyId }, call) {
      const { id } = requireManaged(call, await keys.require(call, "userAccessKeyId", userAccessKeyId));
      await keys.remove.run(call, { id });
      await tokens.recheck(call);
      return {};
    },

    async updateUserAccessKeyIsOn({ userAccessKeyId, isOn }, call) {
      const { id } = requireManaged(call, await keys.require(call, "userAccessKeyId", userAccessKeyId));
      await keys.setIsOn.run(call, { id, isOn });
      if (!isOn) await tokens.recheck(call);
      return {};
    },

    countAllEnabledUserAccessKeys: (request, call) => keys.list.count(call, requestOwner(call, request)),
  };
}
