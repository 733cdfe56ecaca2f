import { type Call, type Clock, unixSeconds } from "edgehelm";
import { newAccessKeyId, type SealedSecrets } from "edgehelm/auth";
import { hexText } from "edgehelm/wire";
import { base32 } from "./base32.ts";
import type { FactorOwner, FactorState, SecondFactors } from "./contract.ts";
import { errors } from "./errors.ts";
import { columnsOf, type LoginRow, type LoginStore } from "./store.ts";
import { stepOf } from "./totp.ts";

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;
const CODE = /^\d{6}$/;
const RECOVERY_CODE = /^[A-Z2-7]{16}$/;

export interface FactorDeps {
  readonly store: LoginStore;
  readonly secrets: SealedSecrets;
  readonly clock: Clock;
  readonly isRequiredOfSuperAdmins: boolean;
}

/** Manages the second factors of people. */
export class Factors implements SecondFactors {
  readonly #deps: FactorDeps;

  constructor(deps: FactorDeps) {
    this.#deps = deps;
  }

  get isRequiredOfSuperAdmins(): boolean {
    return this.#deps.isRequiredOfSuperAdmins;
  }

  async state(call: Call, owner: FactorOwner): Promise<FactorState | undefined> {
    const row = await this.find(call, owner);
    return row && { id: row.id, isOn: row.isOn === 1n };
  }

  find(call: Call, owner: FactorOwner): Promise<LoginRow | undefined> {
    return this.#deps.store.ofOwner.first(call, columnsOf(owner));
  }

  /** Returns the secret in base32. */
  secretOf({ uniqueId, secret }: LoginRow): Promise<string> {
    return this.#deps.secrets.open(uniqueId, secret);
  }

  async verify(call: Call, owner: FactorOwner, typed: string): Promise<boolean> {
    const row = await this.find(call, owner);
    return row?.isOn === 1n && await this.#take(call, row, typed);
  }

  async #take(call: Call, row: LoginRow, typed: string): Promise<boolean> {
    const { store, clock } = this.#deps;
    const code = typed.replaceAll(/[\s-]/g, "").toUpperCase();
    if (RECOVERY_CODE.test(code)) {
      const hash = await digest(code);
      return await call.transact((inner) => store.takeCode.run(inner, { loginId: row.id, hash })) > 0n;
    }
    if (!CODE.test(code)) return false;
    const step = await stepOf(await this.secretOf(row), code, unixSeconds(clock), row.lastStep);
    if (step === undefined) return false;
    return await call.transact((inner) => store.takeStep.run(inner, { id: row.id, step })) > 0n;
  }

  async begin(call: Call, owner: FactorOwner): Promise<string> {
    const secret = base32(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
    await call.transact(async (inner) => {
      if ((await this.find(inner, owner))?.isOn === 1n) throw errors.is_on();
      await this.save(inner, owner, { secret, isOn: false });
    });
    return secret;
  }

  async confirm(call: Call, owner: FactorOwner, code: string): Promise<readonly string[] | undefined> {
    const row = await this.find(call, owner);
    if (row === undefined) throw errors.is_off();
    if (row.isOn === 1n) throw errors.is_on();
    return await call.transact(async (inner) => {
      if (!CODE.test(code.trim()) || !await this.#take(inner, row, code)) return undefined;
      await this.#deps.store.setOn.run(inner, { id: row.id, isOn: true });
      return await this.renewRecoveryCodes(inner, owner);
    });
  }

  async renewRecoveryCodes(call: Call, owner: FactorOwner): Promise<readonly string[]> {
    const codes = Array.from(
      { length: RECOVERY_CODES },
      () => base32(crypto.getRandomValues(new Uint8Array(RECOVERY_BYTES))),
    );
    const hashes = await Promise.all(codes.map(digest));
    const { store } = this.#deps;
    await call.transact(async (inner) => {
      const row = await this.find(inner, owner);
      if (row?.isOn !== 1n) throw errors.is_off();
      await store.removeCodes.run(inner, { loginId: row.id });
      for (const hash of hashes) await store.addCode.run(inner, { loginId: row.id, hash });
    });
    return codes.map((code) => code.replaceAll(/.{4}(?=.)/g, "$&-").toLowerCase());
  }

  async turnOff(call: Call, owner: FactorOwner): Promise<void> {
    await call.transact((inner) => this.save(inner, owner, { secret: "", isOn: false }));
  }

  /** Changes the secret, unless it is empty, and whether the factor is on. Returns true if codes change. */
  async save(call: Call, owner: FactorOwner, { secret, isOn }: { secret: string; isOn: boolean }): Promise<boolean> {
    const { store, secrets } = this.#deps;
    const row = await this.find(call, owner);
    if (row === undefined) {
      if (secret === "" && !isOn) return false;
      if (secret === "") throw errors.secret_missing();
      const uniqueId = newAccessKeyId();
      const sealed = await secrets.seal(uniqueId, secret);
      await store.insert.run(call, { ...columnsOf(owner), uniqueId, secret: sealed, isOn });
      return isOn;
    }
    const isNewSecret = secret !== "" && secret !== await this.secretOf(row);
    if (isNewSecret) {
      await store.setSecret.run(call, { id: row.id, secret: await secrets.seal(row.uniqueId, secret) });
    }
    if (isNewSecret || !isOn) await store.removeCodes.run(call, { loginId: row.id });
    await store.setOn.run(call, { id: row.id, isOn });
    return isOn !== (row.isOn === 1n) || isOn && isNewSecret;
  }

  /** Deletes the second factor of a person who is deleted. Returns the number of deleted ones. */
  async remove(call: Call, owner: FactorOwner): Promise<number> {
    const row = await this.find(call, owner);
    if (row === undefined) return 0;
    await this.#deps.store.removeCodes.run(call, { loginId: row.id });
    await this.#deps.store.remove.run(call, columnsOf(owner));
    return 1;
  }
}

/** Recovery codes have 80 random bits, so that a plain digest does not reveal them. */
async function digest(code: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code)));
  // Node 24 has no toHex
  return hexText(bytes);
}
