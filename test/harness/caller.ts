import type { TokenRole } from "edgehelm";

/** Who a test call is made as; undefined id means no token. */
export interface TestCaller {
  readonly role: TokenRole | "nobody";
  readonly id: bigint;
}

/** Callers by role: `as.user(7n)`. */
export const as = {
  admin: (id: bigint = 1n): TestCaller => ({ role: "admin", id }),
  user: (id: bigint): TestCaller => ({ role: "user", id }),
  dns: (id: bigint = 1n): TestCaller => ({ role: "dns", id }),
  node: (id: bigint = 1n): TestCaller => ({ role: "node", id }),
  report: (id: bigint = 1n): TestCaller => ({ role: "report", id }),
  nobody: (): TestCaller => ({ role: "nobody", id: 0n }),
};
