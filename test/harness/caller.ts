import type { TokenRole } from "edgehelm/auth";

/** The caller of a test call. Create one with {@link as}. */
export interface TestCaller {
  /** The role of the access token; `anonymous` for a call without one. */
  readonly role: TokenRole | "anonymous";
  /** The id of the admin, user or node; 0 for an anonymous caller. */
  readonly id: bigint;
}

/**
 * Callers by role. Ids default to 1.
 *
 * @example
 * ```ts
 * import { as, testKernel } from "edgehelm/testing";
 * import plugin from "../plugin.ts";
 *
 * await using edgehelm = await testKernel({ plugins: [plugin] });
 * const { code } = await edgehelm.post("/MyPluginService/greet", { name: "Ada" }, as.user(7n));
 * ```
 */
export const as = {
  admin: (id: bigint = 1n): TestCaller => ({ role: "admin", id }),
  user: (id: bigint): TestCaller => ({ role: "user", id }),
  dns: (id: bigint = 1n): TestCaller => ({ role: "dns", id }),
  node: (id: bigint = 1n): TestCaller => ({ role: "node", id }),
  report: (id: bigint = 1n): TestCaller => ({ role: "report", id }),
  anonymous: (): TestCaller => ({ role: "anonymous", id: 0n }),
};

/** Returns a caller with the first of the roles that an operation permits. */
export function callerFor([role = "admin"]: readonly string[]): TestCaller {
  return role === "anonymous" || role === "system"
    ? as.anonymous()
    : role === "admin"
    ? as.admin()
    : { role: role as TestCaller["role"], id: 7n };
}
