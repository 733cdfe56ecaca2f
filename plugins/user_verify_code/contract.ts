import { type Call, type Contract, defineContract } from "edgehelm";

/** The fields of a person who asks for a code. */
export interface CodeForm {
  /** The purpose of the code: `resetPassword`. */
  readonly type: string;
  readonly email: string;
  readonly mobile: string;
  /** The address of the person, if a console with a token calls for them; otherwise empty. */
  readonly statedAddress: string;
}

/** The fields of a person who has a code. */
export interface CodeResetForm extends CodeForm {
  readonly code: string;
  readonly newPassword: string;
}

/** Lets people who forgot their password set another, by a code that is mailed to their verified address. */
export interface UserVerifyCodes {
  /** The number of digits of a code. */
  readonly codeLength: number;
  /** Returns true if there is a media instance that sends mail. */
  isOpen(call: Call): Promise<boolean>;
  /**
   * Asks for a code. Nothing tells whether the address is that of a user.
   *
   * @throws RpcError invalid for a wrong field, conflict if nothing sends mail, exhausted if too many codes were asked for
   */
  send(call: Call, form: CodeForm): Promise<void>;
  /**
   * Sets a new password, and returns true; false if the code is wrong, was used, replaced or tried too often, or has
   * expired. Failures count against the budgets of `LoginAttempts`, so call it outside transactions.
   *
   * @param form its field for the password is `newPassword` in errors
   * @throws RpcError invalid for a wrong field, exhausted after too many wrong codes
   */
  reset(call: Call, form: CodeResetForm): Promise<boolean>;
}
export const UserVerifyCodes: Contract<UserVerifyCodes> = defineContract("user_verify_code");
