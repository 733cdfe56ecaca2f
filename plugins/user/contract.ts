import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { Query } from "edgehelm/storage";
import type {
  ComposeUserDashboardResponseSchema,
  ComposeUserGlobalBoardResponseSchema,
} from "./proto/service_user_pb.ts";

/** A summary of a user. */
export interface UserSummary {
  readonly id: bigint;
  readonly username: string;
  readonly fullname: string;
}

/** The pricing settings of a user; empty means the default of the installation. */
export interface UserPriceTerms {
  readonly priceType: "" | "traffic" | "bandwidth";
  readonly pricePeriod: "" | "daily" | "monthly";
}

/** Gives other plugins access to users. */
export interface Users {
  /** Returns true if the user exists, is turned on, and is neither deleted nor rejected. */
  isLive(call: Call, userId: bigint): Promise<boolean>;
  /** Returns the users that exist and are not deleted, by id. */
  summaries(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserSummary>>;
  /** Refuses, with an error that names `field`, a user that does not exist or is deleted. */
  requireUser(call: Call, field: string, userId: bigint): Promise<void>;
  /**
   * Returns up to `limit` ids of users whose names or contact details contain the keyword, newest first. Scans all users
   * outside the event loop.
   */
  idsMatching(call: Call, keyword: string, limit: number): Promise<readonly bigint[]>;
  /** Returns the users whose sites are served: those that exist, are turned on and are not blocked. */
  served(call: Call, userIds: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Returns the pricing settings of users that exist and are not deleted, by id. */
  priceTerms(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserPriceTerms>>;
}
export const Users: Contract<Users> = defineContract("user");

/** Deletes objects of a deleted user in the background. */
export interface UserRemoval {
  /**
   * Deletes at most `limit` objects of a deleted user.
   *
   * @returns The number of deleted objects; fewer than `limit` means that none are left.
   */
  removeSome(call: Call, userId: bigint, limit: number): Promise<number | bigint>;
}

/**
 * Creates a removal that deletes the objects found by a query.
 *
 * @param someOfUser Selects up to `limit` ids of objects of the user.
 * @param remove Deletes the objects with these ids and their dependents.
 */
export function userRemoval(
  someOfUser: Query<{ userId: bigint; limit: number }, { readonly id: bigint }>,
  remove: (call: Call, ids: bigint[]) => Promise<unknown>,
): UserRemoval {
  return {
    async removeSome(call, userId, limit) {
      const ids = (await someOfUser.all(call, { userId, limit })).map(({ id }) => id);
      if (ids.length > 0) await remove(call, ids);
      return ids.length;
    },
  };
}
export const UserRemovals: ExtensionPoint<UserRemoval> = defineExtensionPoint("user.removals");

/** A feature that users can be allowed to use. */
export interface UserFeatureDefinition {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  /** True if plans can include or exclude the feature. */
  readonly supportPlan: boolean;
}
export const UserFeatures: ExtensionPoint<readonly UserFeatureDefinition[]> = defineExtensionPoint("user.features");

/** Contributes figures to user dashboards. */
export interface UserFigures {
  /** Returns the fields that the plugin provides for the dashboard of a user. */
  ofUser(call: Call, userId: bigint): Promise<MessageInitShape<typeof ComposeUserDashboardResponseSchema>>;
  /** Returns the fields that the plugin provides for the dashboard of all users. */
  ofAll(call: Call): Promise<MessageInitShape<typeof ComposeUserGlobalBoardResponseSchema>>;
}
export const UserDashboards: ExtensionPoint<UserFigures> = defineExtensionPoint("user.dashboards");

/** A listener for users whose sites stop or resume being served. */
export interface UserServersListener {
  changed(call: Call, userId: bigint): Promise<void>;
}
export const UserServersListeners: ExtensionPoint<UserServersListener> = defineExtensionPoint("user.servers_listeners");

/** A check that can block the sites of a user, for example because of overdue bills. */
export interface UserServersCheck {
  isBlocked(call: Call, userId: bigint): Promise<boolean>;
}
export const UserServersChecks: ExtensionPoint<UserServersCheck> = defineExtensionPoint("user.servers_checks");
