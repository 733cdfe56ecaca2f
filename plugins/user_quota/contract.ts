import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** A quota: how many of something a user may have. */
export interface UserQuota {
  /** The name in settings, plans and errors, such as `certificates`. */
  readonly name: string;
  /** The maximum if neither the installation nor a plan of the user sets another one. */
  readonly max: bigint;
}

/** The extension point at which plugins declare the quotas that they enforce. */
export const UserQuotaDeclarations: ExtensionPoint<UserQuota> = defineExtensionPoint("user_quota.declarations");

/** Refuses what users create beyond their quotas. */
export interface UserQuotas {
  /**
   * Refuses the call if a user would have more than the quota allows. It must run in the transaction that creates, so that
   * concurrent calls count each other. Calls of admins are never refused; what they create for a user counts.
   *
   * @param added the number that the call creates; a call that creates none is never refused
   * @param count returns the number that the user has, from an index or a stored count
   * @throws RpcError exhausted, with the reason `user_quota.<name>`
   */
  require(
    call: Call,
    quota: UserQuota,
    userId: bigint,
    added: number | bigint,
    count: () => Promise<bigint>,
  ): Promise<void>;
  /** Refuses, with an error that names `field`, a name that no plugin declares. */
  requireName(field: string, name: string): void;
}
export const UserQuotas: Contract<UserQuotas> = defineContract("user_quota");

/** Sets other quotas for some users, for example by their plans. */
export interface UserQuotaOverride {
  /** Returns the maximum of a quota for a user, 0 for no limit, or undefined if the quota is not overridden. */
  maxOf(call: Call, userId: bigint, name: string): Promise<bigint | undefined>;
}
export const UserQuotaOverrides: ExtensionPoint<UserQuotaOverride> = defineExtensionPoint("user_quota.overrides");
