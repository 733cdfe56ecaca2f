import { type Call, type Clock, unixSeconds } from "edgehelm";
import { randomAlphanumerics } from "edgehelm/auth";
import type { Events } from "edgehelm/runtime";
import { hexText } from "edgehelm/wire";
import type { MessageTasks } from "../message_task/contract.ts";
import type { UserProofs, Users } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { verified } from "./events.ts";
import type { VerificationSettings } from "./settings.ts";
import type { VerificationRow, VerificationStore } from "./store.ts";
import { replacedMail, verificationMail } from "./texts.ts";

/** 190 bits. */
const CODE_LENGTH = 32;
const DAY = 86_400n;

export interface VerificationDeps {
  readonly store: VerificationStore;
  readonly settings: VerificationSettings;
  readonly proofs: UserProofs;
  readonly users: Users;
  readonly tasks: MessageTasks;
  readonly events: Events;
  readonly clock: Clock;
}

/** Sends codes to addresses, and takes them back. */
export class Verifications {
  readonly #deps: VerificationDeps;

  constructor(deps: VerificationDeps) {
    this.#deps = deps;
  }

  /** Sends a code to an address of a user; earlier codes of the user become invalid. */
  async send(call: Call, userId: bigint, email: string): Promise<void> {
    const { store, settings, tasks, clock } = this.#deps;
    const instanceId = await tasks.mailInstance(call, settings.messageMediaInstanceId);
    if (instanceId === undefined) throw errors.no_mail();
    const code = randomAlphanumerics(CODE_LENGTH);
    const codeHash = await hashOf(code);
    const { lifetimeSeconds, link, language } = settings;
    const createdAt = unixSeconds(clock);
    const expiresAt = createdAt + lifetimeSeconds;
    await call.transact(async (inner) => {
      await this.#requireRoom(inner, userId, email, createdAt - DAY);
      await store.endCodes.run(inner, { userId });
      const messageTaskId = await tasks.create(inner, {
        ...{ messageRecipientId: 0n, messageMediaInstanceId: instanceId, user: email, isPrimary: true },
        ...verificationMail(language, code, link, lifetimeSeconds / 3600n),
        confidential: { secret: code, expiresAt },
      });
      await store.insert.run(inner, { userId, email, codeHash, messageTaskId, createdAt, expiresAt });
    });
  }

  /**
   * Verifies the address to which a code was sent. Call it in a transaction.
   *
   * @param userId the user whose code it must be; 0 if a console calls for anybody
   * @returns the verification, or why there is none
   */
  async verify(call: Call, userId: bigint, code: string): Promise<VerificationRow | "wrong_code" | "taken"> {
    const { store, proofs, events, clock } = this.#deps;
    const row = await store.byHash.first(call, { codeHash: await hashOf(code) });
    const now = unixSeconds(clock);
    if (row === undefined || row.expiresAt <= now || (userId !== 0n && row.userId !== userId)) return "wrong_code";
    const earlier = await this.#earlierAddresses(call, row.userId);
    if (!await proofs.setVerifiedEmail(call, row.userId, row.email)) return "taken";
    await this.#warn(call, row, earlier);
    await store.setVerified.run(call, { id: row.id, codeHash: "", verifiedAt: now });
    await events.emit(call, verified, { userId: row.userId, email: row.email }, row.userId);
    return row;
  }

  /** Returns the verified address of a user, and the last one if the user has put another in its place since. */
  async #earlierAddresses(call: Call, userId: bigint): Promise<readonly string[]> {
    const { store, users } = this.#deps;
    const verified = (await users.verifiedEmails(call, [userId])).get(userId);
    const last = await store.lastVerified.first(call, { userId });
    return [verified, last?.email].filter((email) => email !== undefined);
  }

  /** Writes to earlier addresses: another person may have taken the account over. */
  async #warn(call: Call, { email }: VerificationRow, earlier: readonly string[]): Promise<void> {
    const { settings, tasks } = this.#deps;
    const others = new Map(earlier.map((address) => [address.toLowerCase(), address]));
    others.delete(email.toLowerCase());
    if (others.size === 0) return;
    const messageMediaInstanceId = await tasks.mailInstance(call, settings.messageMediaInstanceId);
    if (messageMediaInstanceId === undefined) return;
    for (const user of others.values()) {
      const mail = replacedMail(settings.language, user);
      await tasks.create(call, { messageRecipientId: 0n, messageMediaInstanceId, user, isPrimary: true, ...mail });
    }
  }

  async #requireRoom(call: Call, userId: bigint, email: string, since: bigint): Promise<void> {
    const { store, settings: { mailsPerUser, mailsPerEmail } } = this.#deps;
    const ofUser = await store.countOfUser.one(call, { userId, since });
    if (ofUser.count >= mailsPerUser) throw errors.too_many_of_user(mailsPerUser);
    const ofEmail = await store.countOfEmail.one(call, { email, since });
    if (ofEmail.count >= mailsPerEmail) throw errors.too_many_of_email(mailsPerEmail);
  }
}

/** Returns the hash of a code. A code has 190 random bits, so the hash needs no key and no cost. */
async function hashOf(code: string): Promise<string> {
  return hexText(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code))));
}
