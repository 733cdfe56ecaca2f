import type { UserRemoval } from "../user/contract.ts";
import type { RuleSetStore } from "./store.ts";

/** A deleted user's sets go, a piece at a time. */
export function userRemoval(store: RuleSetStore): UserRemoval {
  return {
    async removeSome(call, userId, limit) {
      const ids = (await store.someOfUser.all(call, { userId, limit })).map(({ id }) => id);
      await store.remove.run(call, { ids });
      await store.removeRulesOf.run(call, { setIds: ids });
      return ids.length;
    },
  };
}
