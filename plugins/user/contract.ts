import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { UserSchema } from "edgehelm/proto/models/user_pb.js";
import type { Nested } from "edgehelm/rows";
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

/** A user, as other objects contain it. */
export type NestedUser = MessageInitShape<typeof UserSchema> & { readonly id: bigint };

/** Gives other plugins access to users. */
export interface Users extends Nested<NestedUser> {
  /** Returns true if the user exists and its state allows access tokens: `UserStates.allowed` of one user, `sign_in`. */
  isLive(call: Call, userId: bigint): Promise<boolean>;
  /**
   * Returns the id of the user with this username and password whose state allows to sign in, or undefined. Failures
   * count against the budgets of `LoginAttempts`, so call it outside transactions.
   *
   * @param statedAddress the address of the person, if a console with a token calls for them
   */
  checkPassword(call: Call, username: string, password: string, statedAddress?: string): Promise<bigint | undefined>;
  /** Records that the user has just proven to know the password, and whatever else the login needs. */
  loggedIn(call: Call, userId: bigint): Promise<void>;
  /** Returns the users that exist and are not deleted, by id. */
  summaries(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserSummary>>;
  /** Refuses, with an error that names `field`, a user that does not exist or is deleted. */
  requireUser(call: Call, field: string, userId: bigint): Promise<void>;
  /**
   * Returns up to `limit` ids of users whose names or contact details contain the keyword, newest first. Scans all users
   * outside the event loop.
   */
  idsMatching(call: Call, keyword: string, limit: number): Promise<readonly bigint[]>;
  /** Returns the features that users can be allowed to use, built-in ones first. */
  features(): readonly UserFeatureDefinition[];
  /** Returns the cluster of edge nodes that was chosen for the sites of a user; 0 for none. */
  nodeClusterOf(call: Call, userId: bigint): Promise<bigint>;
  /** Returns the verified email addresses of users that have one and are not deleted, by id. */
  verifiedEmails(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, string>>;
  /** Returns the pricing settings of users that exist and are not deleted, by id. */
  priceTerms(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserPriceTerms>>;
}
export const Users: Contract<Users> = defineContract("user");

/** Lets plugins act for people who prove in another way than by their password who they are. */
export interface UserProofs {
  /**
   * Checks an email address that a person typed.
   *
   * @throws RpcError invalid, which names the field
   */
  emailField(field: string, value: string): string;
  /**
   * Refuses what a stolen token must not suffice for, unless the user logged in within the last 10 minutes or this is
   * the current password. Failures count against the budgets of `LoginAttempts`, so call it outside transactions.
   *
   * @param field the request field with the password, to name in errors
   */
  requireRecentLogin(call: Call, userId: bigint, field: string, password: string): Promise<void>;
  /** Returns the id of the user whose verified address this is and whose state allows to sign in, or undefined. */
  idByVerifiedEmail(call: Call, email: string): Promise<bigint | undefined>;
  /** Makes an address the verified address of a user. Returns false if another user has verified it. */
  setVerifiedEmail(call: Call, userId: bigint, email: string): Promise<boolean>;
  /** Hashes a new password, which is slow: call it outside transactions. Refuses one that is too short or too long. */
  hashPassword(call: Call, field: string, password: string): Promise<string>;
  /** Replaces the password, which ends all tokens of the user, and lets the user log in again if that was locked. */
  setPassword(call: Call, userId: bigint, hash: string): Promise<void>;
}
export const UserProofs: Contract<UserProofs> = defineContract("user.proofs");

/** The fields that people type when they register. */
export interface RegistrationForm {
  readonly username: string;
  readonly password: string;
  readonly fullname: string;
  readonly email: string;
  /** May be empty. */
  readonly mobile: string;
}

/** Lets people become users by themselves. */
export interface UserRegistrations {
  /** False if only admins create users here. */
  readonly isOpen: boolean;
  /**
   * Creates a user who is not verified, from the address of the call, and returns the id. Taken usernames count against
   * the budgets of `LoginAttempts`, so call it outside transactions.
   *
   * @throws RpcError forbidden if registration is not open, invalid for a wrong field, conflict for a taken username,
   * exhausted if too many registered within 24 hours
   */
  register(call: Call, form: RegistrationForm): Promise<bigint>;
}
export const UserRegistrations: Contract<UserRegistrations> = defineContract("user.registrations");

/**
 * The one state of a user. If several apply, the first of this list does: `deleted`, `rejected` by an admin, turned
 * `off` by an admin, `suspended` for money, `unverified`, `verified`.
 */
export type UserState = "deleted" | "rejected" | "off" | "suspended" | "unverified" | "verified";

/** An act that the state of a user allows or not. */
export type UserAct =
  /** To have access tokens, and to manage the own login. */
  | "sign_in"
  /** To call operations that only read. */
  | "read"
  /** To settle what is owed, and to put money on the account. */
  | "pay"
  /** To buy and renew plans and packages. */
  | "purchase"
  /** To create, change and delete objects. */
  | "create"
  /** To have sites in the configurations of nodes. */
  | "serve_sites"
  /** To have domains on DNS nodes. */
  | "serve_dns";

/** Says in which state users are and what it allows. States are stored: reading them asks no other plugin. */
export interface UserStates {
  /** Returns the states of users by id. Users that never existed are absent; deleted ones are not. */
  states(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserState>>;
  /** Returns those of the users whose state allows the act. Users that never existed are not among them. */
  allowed(call: Call, userIds: readonly bigint[], act: UserAct): Promise<ReadonlySet<bigint>>;
  /** Refuses, as `user.state_forbids`, an act that the state of the user does not allow. */
  require(call: Call, userId: bigint, act: UserAct): Promise<void>;
  /**
   * Derives the states again at once, and tells the listeners about those that changed. Call it in the transaction that
   * makes, pays or cancels what `UserSuspensions` count. A change without a call is noticed within a minute.
   */
  derive(call: Call, userIds: readonly bigint[]): Promise<void>;
}
export const UserStates: Contract<UserStates> = defineContract("user.states");

/** A reason to suspend users for money, for example overdue bills. */
export interface UserSuspension {
  /** Returns those of the users that owe what is overdue; up to 1,000 users are asked about at once. */
  overdue(call: Call, userIds: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Returns all users with ids from `first` to `last`, both included, that owe what is overdue. */
  overdueWithin(call: Call, first: bigint, last: bigint): Promise<ReadonlySet<bigint>>;
}
export const UserSuspensions: ExtensionPoint<UserSuspension> = defineExtensionPoint("user.suspensions");

/** A listener for users whose state changes. */
export interface UserStateListener {
  /** Runs in the transaction of the change, after it. */
  changed(call: Call, userId: bigint, state: UserState): Promise<void>;
}
export const UserStateListeners: ExtensionPoint<UserStateListener> = defineExtensionPoint("user.state_listeners");

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
export const UserRemovals: ExtensionPoint<UserRemoval> = defineExtensionPoint("user.removals", {
  refused: ["removeSome"],
});

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
