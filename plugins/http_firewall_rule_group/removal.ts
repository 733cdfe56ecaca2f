import type { UserRemoval } from "../user/contract.ts";
import type { RuleGroupStore } from "./store.ts";

/** A deleted user's groups go, a piece at a time. */
export function userRemoval(store: RuleGroupStore): UserRemoval {
  return {
    async removeSome(call, userId, limit) {
      const ids = (await store.someOfUser.all(call, { userId, limit })).map(({ id }) => id);
      await store.remove.run(call, { ids });
      await store.unlink.run(call, { groupIds: ids });
      return ids.length;
    },
  };
}
