import { type Call, choiceField, type Clock, textField, unixSeconds } from "edgehelm";
import { addressGroup, type LoginAttempts, type SealedSecrets } from "edgehelm/auth";
import type { Events } from "edgehelm/runtime";
import type { MessageTasks } from "../message_task/contract.ts";
import type { UserProofs } from "../user/contract.ts";
import type { CodeForm, CodeResetForm, UserVerifyCodes } from "./contract.ts";
import { errors } from "./errors.ts";
import { passwordReset } from "./events.ts";
import { CODE_LENGTH } from "./random_code.ts";
import type { CodeSettings } from "./settings.ts";
import type { CodeStore } from "./store.ts";

export const CODE_SECONDS = 600n;
const MAX_ATTEMPTS = 5n;
const DAY = 86_400n;

export interface CodeDeps {
  readonly store: CodeStore;
  readonly settings: CodeSettings;
  readonly secrets: SealedSecrets;
  readonly proofs: UserProofs;
  readonly tasks: MessageTasks;
  readonly attempts: LoginAttempts;
  readonly events: Events;
  readonly clock: Clock;
}

/** Stores requests for codes, for which a job sends them, and takes codes back. */
export class Codes implements UserVerifyCodes {
  readonly codeLength = CODE_LENGTH;
  readonly #deps: CodeDeps;

  constructor(deps: CodeDeps) {
    this.#deps = deps;
  }

  async isOpen(call: Call): Promise<boolean> {
    const { tasks, settings } = this.#deps;
    return await tasks.mailInstance(call, settings.messageMediaInstanceId) !== undefined;
  }

  /** Stores the request only: a job looks for the user, so that neither response nor time tell whether there is one. */
  async send(call: Call, form: CodeForm): Promise<void> {
    const { store, clock } = this.#deps;
    const email = this.#emailOf(form);
    if (!await this.isOpen(call)) throw errors.no_mail();
    const group = groupOf(call, form.statedAddress);
    const createdAt = unixSeconds(clock);
    await call.transact(async (inner) => {
      await this.#requireRoom(inner, email, group, createdAt - DAY);
      await store.insert.run(inner, { email, place: crypto.randomUUID(), addressGroup: group, createdAt });
    });
  }

  async reset(call: Call, form: CodeResetForm): Promise<boolean> {
    const { attempts } = this.#deps;
    const email = this.#emailOf(form);
    const code = textField("code", form.code, { min: 1, max: 32 });
    const name = `verify code of ${email}`;
    const isDone = await attempts.guard(
      call,
      name,
      async () => await this.#resetWith(call, email, code, form) || undefined,
      form.statedAddress,
    );
    return isDone === true;
  }

  async #resetWith(call: Call, email: string, code: string, form: CodeResetForm): Promise<boolean> {
    const { store, secrets, proofs, events, clock } = this.#deps;
    // First, since it also checks the password, and so that a wrong code takes as long as the right one.
    const hash = await proofs.hashPassword(call, "newPassword", form.newPassword);
    const row = await store.latest.first(call, { email });
    if (row === undefined || row.isSent === 0n || row.expiresAt <= unixSeconds(clock)) return false;
    const { id, place, userId } = row;
    // Counted before it is made: of several at once, no more than allowed are compared.
    const counted = await call.transact((inner) => store.countAttempt.run(inner, { id, max: MAX_ATTEMPTS }));
    if (counted === 0n) return false;
    if (!await secrets.matches(place, row.code || undefined, code)) return false;
    return await call.transact(async (inner) => {
      if (await proofs.idByVerifiedEmail(inner, email) !== userId) return false;
      if (await store.use.run(inner, { id, code: row.code }) === 0n) return false;
      await proofs.setPassword(inner, userId, hash);
      const address = form.statedAddress || (inner.caller.role === "anonymous" ? inner.remoteAddress ?? "" : "");
      await events.emit(inner, passwordReset, { userId, address }, userId);
      return true;
    });
  }

  #emailOf({ type, email, mobile }: CodeForm): string {
    choiceField("type", type, ["resetPassword"]);
    if (mobile !== "") throw errors.mobile_unsupported();
    return this.#deps.proofs.emailField("email", email);
  }

  async #requireRoom(call: Call, email: string, group: string, since: bigint): Promise<void> {
    const { store, settings: { perEmail, perEmailAndAddress, perAddress, perDay } } = this.#deps;
    const ofEmail = await store.countOfEmail.one(call, { email, since });
    if (ofEmail.count >= perEmail) throw errors.codes_of_email(perEmail);
    if (group !== "") {
      const ofBoth = await store.countOfEmailAndAddress.one(call, { email, addressGroup: group, since });
      if (ofBoth.count >= perEmailAndAddress) throw errors.codes_of_email(perEmailAndAddress);
      const ofAddress = await store.countOfAddress.one(call, { addressGroup: group, since });
      if (ofAddress.count >= perAddress) throw errors.codes_of_address(perAddress);
    }
    const ofAll = await store.countOfAll.one(call, { since, limit: perDay });
    if (ofAll.count >= perDay) throw errors.codes_of_all(perDay);
  }
}

/** Returns the group of the address from which a person asks; empty for a console that states none. */
function groupOf({ caller, remoteAddress }: Call, statedAddress: string): string {
  const address = caller.role === "anonymous" ? remoteAddress ?? "" : statedAddress;
  return address === "" ? "" : addressGroup(address);
}
