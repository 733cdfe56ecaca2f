import { type Call, type Clock, type Db, unixSeconds } from "edgehelm";
import { addressGroup, type LoginAttempts, type PasswordHashing } from "edgehelm/auth";
import type { RegistrationForm, UserRegistrations } from "../contract.ts";
import { errors } from "../errors.ts";
import type { UserConfig } from "../proto/config_pb.ts";
import type { Tables, UserStore } from "../store.ts";
import type { UserDirectory } from "../user_directory.ts";
import { personFields } from "./rules.ts";
import { type RegistrationSettings, registrationSettings } from "./settings.ts";
import { type RegistrationStore, registrationStore } from "./store.ts";

const DAY = 86_400n;
const SOURCE = "registration";

export interface RegistrationDeps {
  readonly users: UserStore;
  readonly directory: UserDirectory;
  readonly registrations: RegistrationStore;
  readonly passwords: PasswordHashing;
  readonly attempts: LoginAttempts;
  readonly clock: Clock;
}

/** @throws Error, which stops the start, for a setting that is out of range */
export function openRegistrations(
  tables: Db<Tables>,
  deps: Omit<RegistrationDeps, "registrations">,
  config: UserConfig,
): UserRegistrations {
  const registrations = registrationStore(tables);
  return new BoundedRegistrations({ ...deps, registrations }, registrationSettings(config));
}

/** Creates users who register themselves, and bounds how many do. */
class BoundedRegistrations implements UserRegistrations {
  readonly #deps: RegistrationDeps;
  readonly #settings: RegistrationSettings;

  constructor(deps: RegistrationDeps, settings: RegistrationSettings) {
    this.#deps = deps;
    this.#settings = settings;
  }

  get isOpen(): boolean {
    return this.#settings.isOpen;
  }

  async register(call: Call, form: RegistrationForm): Promise<bigint> {
    const { directory, registrations, passwords, clock } = this.#deps;
    if (!this.isOpen) throw errors.registration_closed();
    const person = personFields(form);
    const address = call.remoteAddress ?? "";
    const group = addressGroup(address);
    // Before the password is hashed, which is slow, and again in the transaction, because others register meanwhile.
    await this.#requireRoom(call, group);
    await this.#requireFree(call, person.username);
    const password = await passwords.hash(call, "password", form.password);
    const user = { ...person, password, tel: "", remark: "", source: SOURCE, registeredIP: address };
    return await call.transact(async (inner) => {
      await this.#requireRoom(inner, group);
      const now = unixSeconds(clock);
      await registrations.removeOld.run(inner, { since: now - DAY });
      await registrations.insert.run(inner, { addressGroup: group, createdAt: now });
      return await directory.insert(inner, { ...user, nodeClusterId: 0n, isVerified: false });
    });
  }

  async #requireRoom(call: Call, group: string): Promise<void> {
    const { registrations, clock } = this.#deps;
    const { maxPerAddress, maxPerDay } = this.#settings;
    const since = unixSeconds(clock) - DAY;
    const ofAddress = await registrations.countOfAddress.one(call, { addressGroup: group, since });
    if (ofAddress.count >= maxPerAddress) throw errors.registrations_of_address(maxPerAddress);
    const ofAll = await registrations.countOfAll.one(call, { since, limit: maxPerDay });
    if (ofAll.count >= maxPerDay) throw errors.registrations_of_all(maxPerDay);
  }

  /** Tells whether a username is taken only as often as a wrong password may be tried. */
  async #requireFree(call: Call, username: string): Promise<void> {
    const { attempts, users } = this.#deps;
    const isFree = await attempts.guard(call, "usernames of registrations", async () => {
      return await users.byUsername.first(call, { username }) === undefined ? true : undefined;
    });
    if (isFree === undefined) throw errors.username_taken(username);
  }
}
