import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** A person who may have a second factor. */
export interface FactorOwner {
  readonly role: "admin" | "user";
  readonly subjectId: bigint;
}

/** The state of a person's second factor, without its secret. */
export interface FactorState {
  readonly id: bigint;
  readonly isOn: boolean;
}

/** Manages and checks one-time passwords (RFC 6238), which are required after the password. */
export interface SecondFactors {
  /** True if super admins without a second factor may do nothing but set it up. */
  readonly isRequiredOfSuperAdmins: boolean;
  /** Returns the state of the second factor, or undefined if the person never had one. */
  state(call: Call, owner: FactorOwner): Promise<FactorState | undefined>;
  /**
   * Returns true if the code is right: the one of now, of the step before or after it, or a recovery code. Each is
   * accepted once. Call it inside `LoginAttempts.guard`, which counts wrong ones.
   */
  verify(call: Call, owner: FactorOwner, code: string): Promise<boolean>;
  /** Makes a new secret, which counts when `confirm` succeeds, and returns it in base32. Refused while one is on. */
  begin(call: Call, owner: FactorOwner): Promise<string>;
  /** Turns the secret of `begin` on if the code is right, and returns recovery codes; undefined if it is wrong. */
  confirm(call: Call, owner: FactorOwner, code: string): Promise<readonly string[] | undefined>;
  /** Replaces the recovery codes. Refused while the factor is off. */
  renewRecoveryCodes(call: Call, owner: FactorOwner): Promise<readonly string[]>;
  /** Turns the factor off. */
  turnOff(call: Call, owner: FactorOwner): Promise<void>;
}
export const SecondFactors: Contract<SecondFactors> = defineContract("login");

/** Notices sign-ins from addresses from which a person has not signed in before. */
export interface LoginAddresses {
  /**
   * Records a sign-in in the transaction of the call. It is an event if the person signed in before, and not from this
   * address or, for IPv6, its /64 prefix. The last 20 addresses of a person are remembered.
   *
   * @param address an IP address; nothing is recorded if it is empty
   */
  signedIn(call: Call, owner: FactorOwner, address: string): Promise<void>;
}
export const LoginAddresses: Contract<LoginAddresses> = defineContract("login.addresses");

/** Knows the people of one role. */
export interface FactorOwners {
  readonly role: FactorOwner["role"];
  /** Returns true if the person exists and is not deleted. */
  exists(call: Call, subjectId: bigint): Promise<boolean>;
}
export const FactorOwners: ExtensionPoint<FactorOwners> = defineExtensionPoint("login.owners");
