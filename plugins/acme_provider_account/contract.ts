import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";
import type { ACMEProviderAccountSchema } from "edgehelm/proto/models/acme_provider_account_pb.js";
import type { Nested } from "edgehelm/rows";

/** An account, as other objects contain it. */
export type NestedAccount = MessageInitShape<typeof ACMEProviderAccountSchema> & { readonly id: bigint };

/** An account of the installation that other plugins may use. */
export interface UsableAccount {
  readonly id: bigint;
  readonly registrationId: bigint;
}

/** Gives other plugins access to the accounts with external account bindings. */
export interface ACMEProviderAccounts extends Nested<NestedAccount> {
  /** Refuses, with an error that names `field`, an account that is off, of another provider or does not exist. */
  requireUsable(call: Call, field: string, id: bigint, providerCode: string): Promise<UsableAccount>;
  /** Returns the newest account of a provider that is on; undefined if there is none. */
  newestOf(call: Call, providerCode: string): Promise<UsableAccount | undefined>;
}
export const ACMEProviderAccounts: Contract<ACMEProviderAccounts> = defineContract("acme_provider_account");

/** The extension point for plugins that use accounts. */
export const ACMEProviderAccountUses: Uses = defineUses("acme_provider_account");

/** A key that is ready to be stored. */
export interface PreparedRegistration {
  readonly uniqueId: string;
  readonly sealedKey: string;
}

/** An account at a provider, as `ACMEConnections` takes it. */
export interface RegisteredAccount {
  readonly providerCode: string;
  readonly key: string;
  readonly url: string;
}

/** Tells whether an account is registered. */
export interface RegistrationState {
  readonly isRegistered: boolean;
  /** The last error, in the words of the provider; empty if there is none. */
  readonly error: string;
}

/** Registers accounts with providers, keeps their keys, and speaks for them. */
export interface ACMERegistrations {
  /** Creates a key. It is slow, so that it belongs before a transaction. */
  prepare(): Promise<PreparedRegistration>;
  /** Stores a registration, which is attempted soon. */
  create(
    call: Call,
    prepared: PreparedRegistration,
    account: { readonly providerCode: string; readonly acmeProviderAccountId: bigint; readonly email: string },
  ): Promise<bigint>;
  /** Attempts a registration now. What goes wrong is stored, and attempted again later if that may help. */
  register(call: Call, id: bigint): Promise<void>;
  /** Forgets registrations and their keys. */
  remove(call: Call, ids: readonly bigint[]): Promise<void>;
  states(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, RegistrationState>>;
  /** Replaces the key of an account. A replacement that was interrupted is completed first. */
  changeKey(call: Call, id: bigint): Promise<void>;
  /**
   * Speaks for an account, which is registered first if it is not, and stores how long the provider asks to wait.
   *
   * @throws ACMEError if the account cannot be registered, if the provider asked to wait, or what `work` throws
   */
  use<Result>(call: Call, id: bigint, work: (account: RegisteredAccount) => Promise<Result>): Promise<Result>;
}
export const ACMERegistrations: Contract<ACMERegistrations> = defineContract("acme_provider_account.registrations");
