import { defineErrors } from "edgehelm";
import type { UserAct, UserState } from "./contract.ts";

const STATE_TEXTS: Readonly<Record<UserState, string>> = {
  deleted: "deleted",
  rejected: "rejected",
  off: "turned off",
  suspended: "suspended for money that is overdue",
  unverified: "not verified yet",
  verified: "verified",
};

const ACT_TEXTS: Readonly<Record<UserAct, string>> = {
  sign_in: "sign in",
  read: "read",
  pay: "pay",
  purchase: "purchase",
  create: "create or change anything",
  serve_sites: "have sites served",
  serve_dns: "have domains served",
};

export const errors = defineErrors("user", {
  not_found: ["not_found", (id: bigint) => `user ${id} does not exist`],
  state_forbids: [
    "forbidden",
    (id: bigint, state: UserState, act: UserAct) =>
      `permission denied: user ${id} is ${STATE_TEXTS[state]} (${state}), which does not allow to ${
        ACT_TEXTS[act]
      } (${act})`,
  ],
  username_taken: ["conflict", (username: string) => `the username "${username}" is taken by another user`],
  old_password_required: [
    "invalid",
    (minutes: number, field: string) =>
      `${field}: must be the current password, unless the user logged in within the last ${minutes} minutes`,
  ],
  old_password_wrong: ["invalid", (field: string) => `${field}: is not the current password of the user`],
  password_changed: ["conflict", () => "the password of the user was changed at the same time: try again"],
  registration_closed: ["forbidden", () => "permission denied: users do not register themselves here"],
  registrations_of_address: [
    "exhausted",
    (max: number) => `at most ${max} users may register from one address within 24 hours`,
  ],
  registrations_of_all: ["exhausted", (max: number) => `at most ${max} users may register within 24 hours`],
  unknown: ["invalid", (field: string, id: bigint) => `${field}: user ${id} does not exist`],
  feature_unknown: [
    "invalid",
    (code: string, known: string) => `featureCodes: feature "${code}" does not exist; known features: ${known}`,
  ],
});
