import type { UserRemoval } from "../user/contract.ts";
import type { ReverseProxyStore } from "./store.ts";

/** A deleted user's proxies go, a piece at a time. */
export function userRemoval(store: ReverseProxyStore): UserRemoval {
  return {
    async removeSome(call, userId, limit) {
      const ids = (await store.someOfUser.all(call, { userId, limit })).map(({ id }) => id);
      await store.remove.run(call, { ids });
      await store.unlinkSome.run(call, { ids });
      return ids.length;
    },
  };
}
