import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type Query,
} from "edgehelm";
import type {
  ComposeUserDashboardResponseSchema,
  ComposeUserGlobalBoardResponseSchema,
} from "./proto/service_user_pb.ts";

/** As much of a user as other plugins show. */
export interface UserSummary {
  readonly id: bigint;
  readonly username: string;
  readonly fullname: string;
}

/** How a user is charged; empty means as the installation does by default. */
export interface UserPriceTerms {
  readonly priceType: "" | "traffic" | "bandwidth";
  readonly pricePeriod: "" | "daily" | "monthly";
}

/** What other plugins may ask of users. */
export interface Users {
  /** Whether the user exists, is not deleted and is turned on. */
  isLive(call: Call, userId: bigint): Promise<boolean>;
  /** Users that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserSummary>>;
  /** Refuses, naming `field`, unless the user exists and is not deleted. */
  requireUser(call: Call, field: string, userId: bigint): Promise<void>;
  /** Ids of users whose names or contacts contain the keyword, newest first. Reads every user, apart from the event loop. */
  idsMatching(call: Call, keyword: string, limit: number): Promise<readonly bigint[]>;
  /** Which of these users have their sites served: they exist, are turned on and are not kept from it. */
  served(call: Call, userIds: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** How users are charged, by id; those that do not exist or are deleted are missing from the map. */
  priceTerms(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserPriceTerms>>;
}
export const Users: Contract<Users> = defineContract("user");

/** What hangs on a user and goes with them, removed in the background after the user was deleted. */
export interface UserRemoval {
  /**
   * Removes at most `limit` things of a deleted user.
   *
   * @returns how many it removed; fewer than `limit` means that nothing is left
   */
  removeSome(call: Call, userId: bigint, limit: number): Promise<number | bigint>;
}

/**
 * Removes what a query finds of a user.
 *
 * @param someOfUser finds some ids of what is left
 * @param remove removes these, with all that hangs on them
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

/** Something that a user may be allowed to do. */
export interface UserFeatureDefinition {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  /** Whether plans can limit it. */
  readonly supportPlan: boolean;
}
export const UserFeatures: ExtensionPoint<readonly UserFeatureDefinition[]> = defineExtensionPoint("user.features");

/** Figures that a plugin adds to the dashboards of users. */
export interface UserFigures {
  /** The fields of one user's dashboard that this plugin knows. */
  ofUser(call: Call, userId: bigint): Promise<MessageInitShape<typeof ComposeUserDashboardResponseSchema>>;
  /** The fields of the board over all users that this plugin knows. */
  ofAll(call: Call): Promise<MessageInitShape<typeof ComposeUserGlobalBoardResponseSchema>>;
}
export const UserDashboards: ExtensionPoint<UserFigures> = defineExtensionPoint("user.dashboards");

/** Hears of users whose sites are to be served no more, or again. */
export interface UserServersListener {
  changed(call: Call, userId: bigint): Promise<void>;
}
export const UserServersListeners: ExtensionPoint<UserServersListener> = defineExtensionPoint("user.servers_listeners");

/** What keeps a user's sites from being served, such as overdue bills. */
export interface UserServersCheck {
  isBlocked(call: Call, userId: bigint): Promise<boolean>;
}
export const UserServersChecks: ExtensionPoint<UserServersCheck> = defineExtensionPoint("user.servers_checks");
