import type { CallerStandingSource } from "edgehelm/auth";
import type { UserAct } from "./contract.ts";
import { errors } from "./errors.ts";
import type { StateRegistry } from "./state_registry.ts";

/** Limits the calls of users to what their state allows. Users that never existed are left to the credential sources. */
export function userStandings(states: StateRegistry): CallerStandingSource {
  return {
    role: "user",
    reasons: ["user.state_forbids"],
    async standingOf(call, userId) {
      const state = (await states.states(call, [userId])).get(userId);
      if (state === undefined || states.allowsAll(state)) return true;
      if (!states.allows(state, "sign_in")) return false;
      return {
        errorFor: (act) =>
          states.allows(state, act as UserAct) ? undefined : errors.state_forbids(userId, state, act as UserAct),
      };
    },
  };
}
