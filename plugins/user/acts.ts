import { choiceField, invalid } from "edgehelm";
import type { UserAct, UserState } from "./contract.ts";
import type { UserConfig } from "./proto/config_pb.ts";

/** The settings of the installation that change what states allow. */
export interface ActSettings {
  /** True if only verified users may create and purchase. */
  readonly isVerificationRequired: boolean;
  /** The acts that a suspended user may still do. */
  readonly ofSuspended: readonly UserAct[];
}

export const ALL_ACTS: readonly UserAct[] = [
  "sign_in",
  "read",
  "pay",
  "purchase",
  "create",
  "serve_sites",
  "serve_dns",
];
/** To look at things and to settle debts, for users who may do nothing else. */
const ACCOUNT_ONLY: readonly UserAct[] = ["sign_in", "read", "pay"];

const NOTHING = "nothing";

/** Returns the settings of a configuration. Refuses an act that does not exist. */
export function actSettings(
  { requireVerification, suspendedMay }: Pick<UserConfig, "requireVerification" | "suspendedMay">,
): ActSettings {
  const acts = suspendedMay.map((act, index) => choiceField(`suspendedMay[${index}]`, act, [...ALL_ACTS, NOTHING]));
  if (acts.length > 1 && acts.includes(NOTHING)) throw invalid("suspendedMay", `must not name ${NOTHING} with others`);
  const ofSuspended = acts.filter((act): act is UserAct => act !== NOTHING);
  return { isVerificationRequired: requireVerification, ofSuspended: acts.length === 0 ? ACCOUNT_ONLY : ofSuspended };
}

/** Returns what each state allows: the only place that says so. The same table is in README.md and in the guide for operators. */
export function actsOfStates(
  { isVerificationRequired, ofSuspended }: ActSettings,
): Readonly<Record<UserState, readonly UserAct[]>> {
  return {
    verified: ALL_ACTS,
    unverified: isVerificationRequired ? ACCOUNT_ONLY : ALL_ACTS,
    suspended: ofSuspended,
    off: [],
    rejected: [],
    deleted: [],
  };
}
