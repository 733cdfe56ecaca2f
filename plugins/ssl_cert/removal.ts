import type { UserRemoval } from "../user/contract.ts";
import type { SSLCertRegister } from "./register.ts";
import type { SSLCertStore } from "./store.ts";

/** A deleted user's certificates go, a piece at a time. */
export function userRemoval(store: SSLCertStore, register: SSLCertRegister): UserRemoval {
  return {
    async removeSome(call, userId, limit) {
      const ids = (await store.someOfUser.all(call, { userId, limit })).map(({ id }) => id);
      await register.remove(call, ids);
      return ids.length;
    },
  };
}
