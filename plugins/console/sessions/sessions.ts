import { type Call, type Clock, unixSeconds } from "edgehelm";
import { inBatches } from "edgehelm/storage";
import { hexText } from "edgehelm/wire";
import {
  constantTimeEqual,
  type CredentialSource,
  type KeyRestriction,
  newAccessKeyId,
  randomAlphanumerics,
  type TokenHolder,
} from "edgehelm/auth";
import type { Admins } from "../../admin/contract.ts";
import type { SecondFactors } from "../../login/contract.ts";
import type { Users } from "../../user/contract.ts";
import type { SessionRow, SessionStore, Subject } from "../store.ts";
import type { Cookie } from "./cookie.ts";

/** The sessions that one transaction deletes. */
const PRUNED_SESSIONS = 1000;

export interface SessionDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly admins: Admins | undefined;
  readonly users: Users | undefined;
  readonly factors: SecondFactors | undefined;
  /** The plugins that store access keys. */
  readonly sources: readonly CredentialSource[];
  readonly sessionSeconds: bigint;
  readonly idleSeconds: bigint;
}

/** A new session's person, and the access key with which it began. */
export interface SessionStart extends Subject {
  readonly keySource: string;
  readonly keyId: bigint;
}

/** The number of characters, of 62 kinds each, that have 256 bits. */
const SECRET_LENGTH = 43;
const MAX_USER_AGENT = 300;
/** A person's older sessions end when there are more. */
const MAX_SESSIONS = 50n;
/** The time of last use is written at most once in this interval. */
const TOUCH_SECONDS = 60n;

/** The page needs to know who is signed in; the set-up itself is no operation. */
const SET_UP_ONLY: KeyRestriction = {
  expiresAt: 0n,
  addresses: [],
  operations: ["AdminService/findEnabledAdmin"],
  isReadOnly: false,
};

/** Begins, finds and ends the sessions of people in the console. */
export class Sessions {
  readonly #deps: SessionDeps;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** Begins a session and returns its cookie. Call it in a transaction. */
  async begin(call: Call, start: SessionStart, userAgent: string): Promise<Cookie> {
    const { store, clock, sessionSeconds } = this.#deps;
    const cookie = { uniqueId: newAccessKeyId(), secret: randomAlphanumerics(SECRET_LENGTH) };
    const now = unixSeconds(clock);
    const { role, subjectId, keySource, keyId } = start;
    await store.insert.run(call, {
      ...{ role, subjectId, keySource, keyId },
      uniqueId: cookie.uniqueId,
      secretHash: await digest(cookie.secret),
      address: call.remoteAddress ?? "",
      userAgent: userAgent.slice(0, MAX_USER_AGENT),
      createdAt: now,
      lastUsedAt: now,
      expiresAt: now + sessionSeconds,
    });
    await store.removeOldest.run(call, { role, subjectId, kept: MAX_SESSIONS });
    return cookie;
  }

  /** Returns the session of a cookie, unless it has ended. */
  async find(call: Call, { uniqueId, secret }: Cookie): Promise<SessionRow | undefined> {
    const row = await this.#deps.store.byUniqueId.first(call, { uniqueId });
    const matches = await constantTimeEqual(row?.secretHash ?? "", await digest(secret));
    return row !== undefined && matches && await this.standing(call, row) !== false ? row : undefined;
  }

  /** Returns true if the session may be used, or for what it may be; false if it has ended. */
  async standing(call: Call, row: SessionRow): Promise<boolean | KeyRestriction> {
    if (this.isOver(row)) return false;
    const { role, subjectId, keySource, keyId } = row;
    const { admins, users, sources } = this.#deps;
    const isLive = await (role === "admin" ? admins : users)?.isLive(call, subjectId) ?? false;
    if (!isLive) return false;
    if (keySource === "") return await this.mustSetUp(call, row) ? SET_UP_ONLY : true;
    return await sources.find(({ name }) => name === keySource)?.isLive(call, role, { subjectId, keyId }) ?? false;
  }

  /** Returns true for a super admin who may do nothing before there is a second factor. */
  async mustSetUp(call: Call, { role, subjectId, keySource }: SessionRow): Promise<boolean> {
    const { admins, factors } = this.#deps;
    if (role !== "admin" || keySource !== "" || factors?.isRequiredOfSuperAdmins !== true) return false;
    if ((await admins?.access(call, subjectId))?.isSuper !== true) return false;
    return (await factors.state(call, { role, subjectId }))?.isOn !== true;
  }

  /** Returns true if the session has ended by its time or because it was not used. */
  isOver({ expiresAt, lastUsedAt }: SessionRow): boolean {
    const now = unixSeconds(this.#deps.clock);
    return now >= expiresAt || now >= lastUsedAt + this.#deps.idleSeconds;
  }

  async touch(call: Call, { id, lastUsedAt }: SessionRow): Promise<void> {
    const now = unixSeconds(this.#deps.clock);
    if (now - lastUsedAt < TOUCH_SECONDS) return;
    await call.transact((inner) => this.#deps.store.touch.run(inner, { id, lastUsedAt: now }));
  }

  /** Returns the sessions of a person that have not ended. */
  async listOf(call: Call, { role, subjectId }: Subject): Promise<readonly SessionRow[]> {
    const rows = await this.#deps.store.ofSubject.all(call, { role, subjectId });
    return rows.filter((row) => !this.isOver(row));
  }

  /** Ends the sessions of a holder whose tokens end, in the same transaction. */
  async endOf(call: Call, holder: TokenHolder): Promise<void> {
    const { store } = this.#deps;
    if (!("role" in holder)) {
      await store.removeOfKey.run(call, { keySource: holder.source, keyId: holder.keyId });
    } else if (holder.role === "admin" || holder.role === "user") {
      await store.removeOthers.run(call, { role: holder.role, subjectId: holder.subjectId, keptId: 0n });
    }
  }

  /** Deletes the sessions that are over. */
  async prune(call: Call): Promise<void> {
    const { store, clock, idleSeconds } = this.#deps;
    const now = unixSeconds(clock);
    await inBatches(call, PRUNED_SESSIONS, (inner, limit) => store.removeExpired.run(inner, { now, limit }));
    const before = now - idleSeconds;
    await inBatches(call, PRUNED_SESSIONS, (inner, limit) => store.removeIdle.run(inner, { before, limit }));
  }
}

async function digest(secret: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret)));
  return hexText(bytes);
}
