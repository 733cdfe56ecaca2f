import { defineErrors } from "edgehelm";

export const errors = defineErrors("user", {
  not_found: ["not_found", (id: bigint) => `user ${id} does not exist`],
  username_taken: ["conflict", (username: string) => `the username "${username}" is taken by another user`],
  old_password_required: [
    "invalid",
    (minutes: number) =>
      `oldPassword: must be the current password, unless the user logged in within the last ${minutes} minutes`,
  ],
  old_password_wrong: ["invalid", () => "oldPassword: is not the current password of the user"],
  password_changed: ["conflict", () => "the password of the user was changed at the same time: try again"],
  unknown: ["invalid", (field: string, id: bigint) => `${field}: user ${id} does not exist`],
  feature_unknown: [
    "invalid",
    (code: string, known: string) => `featureCodes: feature "${code}" does not exist; known features: ${known}`,
  ],
});
