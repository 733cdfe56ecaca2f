import { type Call, type Clock, unixSeconds } from "edgehelm";
import { randomAlphanumerics } from "edgehelm/auth";
import { ACMEError } from "../acme_provider/contract/acme_error.ts";
import type { ACMEAccount, ACMEConnections } from "../acme_provider/contract/connections.ts";
import { newAccountKey } from "../acme_provider/contract/keys.ts";
import type { AccountKeys } from "./account_keys.ts";
import type { Bindings } from "./bindings.ts";
import type { ACMERegistrations, PreparedRegistration, RegistrationState } from "./contract.ts";
import type { AccountStore } from "./store.ts";
import type { RegistrationRow, RegistrationStore } from "./store_registrations.ts";

const UNIQUE_ID_LENGTH = 32;
const FIRST_WAIT_SECONDS = 60n;
const MAX_WAIT_SECONDS = 21_600n;
const MAX_DUE = 20;

export interface RegistrationDeps {
  readonly store: RegistrationStore;
  readonly accounts: AccountStore;
  readonly keys: AccountKeys;
  readonly bindings: Bindings;
  readonly connections: ACMEConnections;
  readonly clock: Clock;
}

/** Implements the contract `ACMERegistrations`. Each request to a provider can be repeated after a crash. */
export class Registrations implements ACMERegistrations {
  readonly #deps: RegistrationDeps;

  constructor(deps: RegistrationDeps) {
    this.#deps = deps;
  }

  async prepare(): Promise<PreparedRegistration> {
    const uniqueId = randomAlphanumerics(UNIQUE_ID_LENGTH);
    return { uniqueId, sealedKey: await this.#deps.keys.seal(uniqueId, await newAccountKey()) };
  }

  async create(
    call: Call,
    prepared: PreparedRegistration,
    account: { readonly providerCode: string; readonly acmeProviderAccountId: bigint; readonly email: string },
  ): Promise<bigint> {
    return (await this.#deps.store.insert.one(call, { ...prepared, ...account, dueAt: this.#now() })).id;
  }

  async remove(call: Call, ids: readonly bigint[]): Promise<void> {
    await this.#deps.store.removeAll.run(call, { ids });
  }

  async states(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, RegistrationState>> {
    const rows = ids.length === 0 ? [] : await this.#deps.store.byIds.all(call, { ids });
    return new Map(rows.map(({ id, url, error }) => [id, { isRegistered: url !== "", error }]));
  }

  async register(call: Call, id: bigint): Promise<void> {
    const row = await this.#find(call, id);
    if (row === undefined) return;
    try {
      await this.#register(call, row);
    } catch (error) {
      if (!(error instanceof ACMEError)) throw error;
    }
  }

  /** Attempts what is due, and registers accounts of earlier releases. */
  async registerDue(call: Call): Promise<void> {
    for (const { id } of await this.#deps.store.due.all(call, { now: this.#now(), limit: MAX_DUE })) {
      await this.register(call, id);
    }
    for (const account of await this.#deps.accounts.unregistered.all(call, { limit: MAX_DUE })) {
      const prepared = await this.prepare();
      await call.transact(async (inner) => {
        const { id, providerCode, email } = account;
        const registrationId = await this.create(inner, prepared, { providerCode, acmeProviderAccountId: id, email });
        await this.#deps.accounts.setRegistration.run(inner, { id, registrationId });
      });
    }
  }

  /** Registers again with a new key, as a new external account binding demands. */
  async restart(call: Call, id: bigint, prepared: string, email: string): Promise<void> {
    await this.#deps.store.restart.run(call, { id, sealedKey: prepared, email, dueAt: this.#now() });
  }

  /** Creates the key of `restart`. */
  async newKeyOf(call: Call, id: bigint): Promise<string> {
    const row = await this.#require(call, id);
    return await this.#deps.keys.seal(row.uniqueId, await newAccountKey());
  }

  async changeContact(call: Call, id: bigint, email: string): Promise<void> {
    await this.use(call, id, (account) => this.#deps.connections.changeContact(call, account, email));
    await call.transact((inner) => this.#deps.store.setEmail.run(inner, { id, email }));
  }

  async changeKey(call: Call, id: bigint): Promise<void> {
    const { store, keys } = this.#deps;
    // completes what was interrupted
    await this.use(call, id, () => Promise.resolve());
    const row = await this.#require(call, id);
    const sealedNextKey = await keys.seal(row.uniqueId, await newAccountKey(), "sealedNextKey");
    await call.transact((inner) => store.setNextKey.run(inner, { id, sealedNextKey }));
    await this.use(call, id, () => Promise.resolve());
  }

  async use<Result>(call: Call, id: bigint, work: (account: ACMEAccount) => Promise<Result>): Promise<Result> {
    const found = await this.#require(call, id);
    const wait = Number(found.pausedUntil - this.#now());
    if (wait > 0) {
      const until = new Date(Number(found.pausedUntil) * 1000).toISOString();
      throw new ACMEError(`the provider asked to wait until ${until}`, "rateLimited", 429, wait);
    }
    const row = found.url === "" ? await this.#register(call, found) : found;
    try {
      const current = row.sealedNextKey === "" ? row : await this.#completeKeyChange(call, row);
      return await work(await this.#account(current));
    } catch (error) {
      if (error instanceof ACMEError) await this.#noteError(call, row, error);
      throw error;
    }
  }

  async #register(call: Call, row: RegistrationRow): Promise<RegistrationRow> {
    const { store, accounts, bindings, connections, keys } = this.#deps;
    const { id, providerCode, acmeProviderAccountId, email } = row;
    try {
      const [account] = acmeProviderAccountId === 0n
        ? []
        : await accounts.byIds.all(call, { ids: [acmeProviderAccountId] });
      const binding = account && { eabKid: account.eabKid, eabKey: await bindings.openKey(account) };
      const key = await keys.open(row);
      const url = await connections.register(call, providerCode, { key, email, eabKid: "", eabKey: "", ...binding });
      await call.transact((inner) => store.succeeded.run(inner, { id, url, email }));
      return { ...row, url, error: "" };
    } catch (error) {
      if (!(error instanceof ACMEError)) throw error;
      const attempts = row.attempts + 1n;
      const seconds = error.retryAfterSeconds ?? Number(waitSeconds(attempts));
      const dueAt = error.isTemporary ? this.#now() + BigInt(seconds) : 0n;
      await call.transact((inner) => store.failed.run(inner, { id, error: error.message, attempts, dueAt, url: "" }));
      throw error;
    }
  }

  /** Asks whether the provider knows the new key already, and tells it otherwise. */
  async #completeKeyChange(call: Call, row: RegistrationRow): Promise<RegistrationRow> {
    const { store, keys, connections } = this.#deps;
    const nextKey = await keys.open(row, "sealedNextKey");
    if (await connections.find(call, row.providerCode, nextKey) === undefined) {
      await connections.changeKey(call, await this.#account(row), nextKey);
    }
    const sealedKey = await keys.seal(row.uniqueId, nextKey);
    await call.transact((inner) => store.setKey.run(inner, { id: row.id, sealedKey }));
    return { ...row, sealedKey, sealedNextKey: "" };
  }

  /** Stores how long to wait, and that the provider no longer knows the account. */
  async #noteError(call: Call, { id }: RegistrationRow, error: ACMEError): Promise<void> {
    const { retryAfterSeconds, status, type, message } = error;
    if (retryAfterSeconds !== undefined && (status === 429 || status === 503)) {
      const pausedUntil = this.#now() + BigInt(retryAfterSeconds);
      await call.transact((inner) => this.#deps.store.pause.run(inner, { id, pausedUntil }));
    }
    if (type !== "accountDoesNotExist") return;
    const lost = { id, error: message, attempts: 0n, dueAt: this.#now(), url: "" };
    await call.transact((inner) => this.#deps.store.failed.run(inner, lost));
  }

  async #account(row: RegistrationRow): Promise<ACMEAccount> {
    return { providerCode: row.providerCode, key: await this.#deps.keys.open(row), url: row.url };
  }

  async #find(call: Call, id: bigint): Promise<RegistrationRow | undefined> {
    return (await this.#deps.store.byIds.all(call, { ids: [id] }))[0];
  }

  async #require(call: Call, id: bigint): Promise<RegistrationRow> {
    const row = await this.#find(call, id);
    if (row === undefined) throw new ACMEError("the account does not exist", "", 404);
    return row;
  }

  #now(): bigint {
    return unixSeconds(this.#deps.clock);
  }
}

/** Doubles the time between attempts, up to a quarter of a day. */
function waitSeconds(attempts: bigint): bigint {
  const seconds = FIRST_WAIT_SECONDS << (attempts < 12n ? attempts - 1n : 12n);
  return seconds < MAX_WAIT_SECONDS ? seconds : MAX_WAIT_SECONDS;
}
