import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { AccessTokens, AdminAccess, AdminDirectory, LoginAttempts, PasswordHashing } from "edgehelm/auth";
import { usernameField } from "edgehelm/fields";
import type { AdminDeletion, Admins } from "./contract.ts";
import { errors } from "./errors.ts";
import { modulesOf } from "./messages.ts";
import { isWeakPassword, mayLogIn } from "./rules.ts";
import type { AdminRow, AdminStore, NewAdmin } from "./store.ts";

/** A hashed password, and whether the password is weak. */
export interface HashedPassword {
  readonly password: string;
  readonly hasWeakPassword: boolean;
}

/** The password of an admin who can only use access keys; no password matches it. */
export const NO_PASSWORD: HashedPassword = { password: "", hasWeakPassword: false };

/** The dependencies of the registry. */
export interface AdminDeps {
  readonly admins: AdminStore;
  readonly passwords: PasswordHashing;
  readonly tokens: AccessTokens;
  readonly attempts: LoginAttempts;
  readonly clock: Clock;
}

/** Manages admins, for handlers and for other plugins. */
export class AdminRegistry implements Admins, AdminDirectory {
  readonly #deps: AdminDeps;

  constructor(deps: AdminDeps) {
    this.#deps = deps;
  }

  async require(call: Call, id: bigint): Promise<AdminRow> {
    const admin = await this.#deps.admins.byId.first(call, { id });
    if (admin === undefined) throw errors.not_found(id);
    return admin;
  }

  /** Hashes a new password. Returns undefined for an empty one, which keeps the current password. */
  async hash(call: Call, username: string, password: string): Promise<HashedPassword | undefined> {
    return password === "" ? undefined : await this.requireHash(call, username, password);
  }

  /** Hashes a required password. Hashing is slow by design, so call this outside of transactions. */
  async requireHash(call: Call, username: string, password: string): Promise<HashedPassword> {
    return {
      password: await this.#deps.passwords.hash(call, "password", password),
      hasWeakPassword: isWeakPassword(username, password),
    };
  }

  async insert(call: Call, admin: Omit<NewAdmin, "createdAt">): Promise<bigint> {
    const created = await this.#deps.admins.insert.first(call, { ...admin, createdAt: unixSeconds(this.#deps.clock) });
    if (created === undefined) throw errors.username_taken(admin.username);
    return created.id;
  }

  async rename(call: Call, admin: AdminRow, username: string): Promise<void> {
    const other = await this.#deps.admins.byUsername.first(call, { username });
    if (other !== undefined && other.id !== admin.id) throw errors.username_taken(username);
    await this.#deps.admins.setUsername.run(call, { id: admin.id, username });
  }

  /** Refuses the last super admin who may log in, without whom no admin could manage the others. */
  async requireOtherSuper(call: Call, admin: AdminRow): Promise<void> {
    const { id, isSuper } = admin;
    if (isSuper !== 1n || !mayLogIn(admin)) return;
    if (await this.#deps.admins.otherSupers.first(call, { id }) === undefined) throw errors.last_super(id);
  }

  async remove(call: Call, admin: AdminRow, deletions: readonly AdminDeletion[]): Promise<void> {
    await this.requireOtherSuper(call, admin);
    await this.#deps.admins.remove.run(call, { id: admin.id });
    for (const deletion of deletions) await deletion.deleted(call, admin.id);
    await this.endTokens(call, admin.id);
  }

  /** Lets the admin log in again after too many wrong passwords; another admin who saves them decides this. */
  async liftLock(call: Call, username: string): Promise<void> {
    await this.#deps.attempts.lift(call, `admin ${username}`);
  }

  async endTokens(call: Call, adminId: bigint): Promise<void> {
    await this.#deps.tokens.end(call, { role: "admin", subjectId: adminId });
  }

  /** Sets a new password, which ends the admin's tokens. */
  async setPassword(call: Call, adminId: bigint, hashed: HashedPassword): Promise<void> {
    await this.#deps.admins.setPassword.run(call, { id: adminId, ...hashed });
    await this.endTokens(call, adminId);
  }

  async isLive(call: Call, adminId: bigint): Promise<boolean> {
    return (await this.#deps.admins.byId.first(call, { id: adminId }))?.isOn === 1n;
  }

  /** Returns what an admin may do, or undefined for one who may not log in. */
  async access(call: Call, adminId: bigint): Promise<AdminAccess | undefined> {
    const admin = await this.#deps.admins.byId.first(call, { id: adminId });
    if (admin === undefined || !mayLogIn(admin)) return undefined;
    return { isSuper: admin.isSuper === 1n, modules: modulesOf(admin).map(({ code }) => code) };
  }

  async names(call: Call, ids: readonly bigint[]): Promise<Map<bigint, { username: string; fullname: string }>> {
    const rows = await this.#deps.admins.namesByIds.all(call, { ids: [...ids] });
    return new Map(rows.map(({ id, username, fullname }) => [id, { username, fullname }]));
  }

  checkPassword(call: Call, username: string, password: string, statedAddress = ""): Promise<bigint | undefined> {
    const { admins, passwords, attempts } = this.#deps;
    return attempts.guard(call, `admin ${username}`, async () => {
      const admin = await admins.byUsername.first(call, { username });
      const matches = admin === undefined
        ? await passwords.verifyNothing(call, password)
        : await passwords.verify(call, password, admin.password);
      return matches && admin !== undefined && mayLogIn(admin) ? admin.id : undefined;
    }, statedAddress);
  }

  async idOf(call: Call, username: string): Promise<bigint | undefined> {
    return (await this.#deps.admins.byUsername.first(call, { username }))?.id;
  }

  async turnOn(call: Call, adminId: bigint): Promise<void> {
    await this.#deps.admins.setMayLogIn.run(call, { id: adminId, isOn: true, canLogin: true });
  }

  createWithoutPassword(call: Call, username: string): Promise<bigint> {
    const name = usernameField("username", username);
    return this.insert(call, {
      username: name,
      fullname: name,
      ...NO_PASSWORD,
      isSuper: true,
      canLogin: true,
      modulesJSON: new Uint8Array(),
    });
  }
}
