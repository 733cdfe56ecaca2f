import { type Call, type Clock, mayAccessOwner, requireOwned, unixSeconds } from "edgehelm";
import type { AccessTokens, LoginAttempts, PasswordHashing } from "edgehelm/auth";
import type { NestedUser, UserFeatureDefinition, UserPriceTerms, Users, UserStates, UserSummary } from "./contract.ts";
import { errors } from "./errors.ts";
import { plainUser } from "./messages.ts";
import type { NewUser, UserRow, UserStore } from "./store.ts";
import type { UserChanges } from "./store_changes.ts";

interface DirectoryDeps {
  /** Returns all features; complete after all plugins have been set up. */
  readonly features: () => readonly UserFeatureDefinition[];
  readonly passwords: PasswordHashing;
  readonly tokens: AccessTokens;
  readonly attempts: LoginAttempts;
}

/** Reads and changes users, for the handlers and for other plugins. */
export class UserDirectory implements Users {
  readonly #users: UserStore;
  readonly #changes: UserChanges;
  readonly #states: UserStates;
  readonly #passwords: PasswordHashing;
  readonly #tokens: AccessTokens;
  readonly #attempts: LoginAttempts;
  readonly #features: () => readonly UserFeatureDefinition[];
  readonly #clock: Clock;

  constructor(
    users: UserStore,
    changes: UserChanges,
    states: UserStates,
    { passwords, tokens, attempts, features }: DirectoryDeps,
    clock: Clock,
  ) {
    this.#users = users;
    this.#changes = changes;
    this.#states = states;
    this.#passwords = passwords;
    this.#tokens = tokens;
    this.#attempts = attempts;
    this.#features = features;
    this.#clock = clock;
  }

  features(): readonly UserFeatureDefinition[] {
    return this.#features();
  }

  /** Returns the user. Refuses one that does not exist or that the caller may not access. */
  async require(call: Call, id: bigint): Promise<UserRow> {
    const user = await this.#users.byId.first(call, { id });
    requireOwned(call, user && { userId: user.id }, errors.not_found(id));
    return user!;
  }

  /** Hashes a password, which is slow: call it outside a transaction. Returns undefined for an empty password. */
  async hash(call: Call, password: string): Promise<string | undefined> {
    return password === "" ? undefined : await this.#passwords.hash(call, "password", password);
  }

  async insert(call: Call, user: Omit<NewUser, "createdAt">): Promise<bigint> {
    const created = await this.#changes.insert.first(call, { ...user, createdAt: unixSeconds(this.#clock) });
    if (created === undefined) throw errors.username_taken(user.username);
    await this.#states.derive(call, [created.id]);
    return created.id;
  }

  /** Changes the username and, unless it is undefined, the password; a new password ends the user's tokens. */
  async changeLogin(call: Call, user: UserRow, username: string, password: string | undefined): Promise<void> {
    const other = await this.#users.byUsername.first(call, { username });
    if (other !== undefined && other.id !== user.id) throw errors.username_taken(username);
    await this.#changes.setUsername.run(call, { id: user.id, username });
    if (password === undefined) return;
    await this.#changes.setPassword.run(call, { id: user.id, password });
    await this.endTokens(call, user.id);
  }

  /** Lets the user log in again after too many wrong passwords; an admin who saves the user decides this. */
  async liftLock(call: Call, username: string): Promise<void> {
    await this.#attempts.lift(call, `user ${username}`);
  }

  async endTokens(call: Call, userId: bigint): Promise<void> {
    await this.#tokens.end(call, { role: "user", subjectId: userId });
  }

  async isLive(call: Call, userId: bigint): Promise<boolean> {
    return (await this.#states.allowed(call, [userId], "sign_in")).has(userId);
  }

  checkPassword(call: Call, username: string, password: string, statedAddress = ""): Promise<bigint | undefined> {
    return this.#attempts.guard(call, `user ${username}`, async () => {
      const user = await this.#users.byUsername.first(call, { username });
      const matches = user === undefined
        ? await this.#passwords.verifyNothing(call, password)
        : await this.#passwords.verify(call, password, user.password);
      return matches && user !== undefined && await this.isLive(call, user.id) ? user.id : undefined;
    }, statedAddress);
  }

  async loggedIn(call: Call, userId: bigint): Promise<void> {
    await this.#changes.setLoggedInAt.run(call, { id: userId, loggedInAt: unixSeconds(this.#clock) });
  }

  async summaries(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserSummary>> {
    const rows = await this.#users.summaries.all(call, { ids: [...userIds] });
    return new Map(rows.map((row) => [row.id, row]));
  }

  async nested(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NestedUser>> {
    const rows = await this.#users.ofIds(call, userIds);
    return new Map(rows.map((row) => {
      const isVisible = mayAccessOwner(call.caller, row.id);
      return [row.id, isVisible ? plainUser(call, row, this.#features()) : { id: row.id }];
    }));
  }

  async exists(call: Call, userId: bigint): Promise<boolean> {
    return await this.#users.byId.first(call, { id: userId }) !== undefined;
  }

  async requireUser(call: Call, field: string, userId: bigint): Promise<void> {
    if (!await this.exists(call, userId)) throw errors.unknown(field, userId);
  }

  async nodeClusterOf(call: Call, userId: bigint): Promise<bigint> {
    return (await this.#users.byId.first(call, { id: userId }))?.nodeClusterId ?? 0n;
  }

  async idsMatching(call: Call, keyword: string, limit: number): Promise<readonly bigint[]> {
    const rows = await this.#users.list.page(call, { keyword }, { offset: 0n, size: BigInt(limit) });
    return rows.map(({ id }) => id);
  }

  async verifiedEmails(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
    const rows = await this.#users.verifiedEmails.all(call, { ids: userIds });
    return new Map(rows.map(({ id, verifiedEmail }) => [id, verifiedEmail]));
  }

  async priceTerms(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserPriceTerms>> {
    const rows = await this.#users.priceTerms.all(call, { ids: [...userIds] });
    return new Map(rows.map(({ id, ...terms }) => [id, terms as UserPriceTerms]));
  }
}
