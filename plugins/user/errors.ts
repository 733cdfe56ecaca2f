import { defineErrors } from "edgehelm";

export const errors = defineErrors("user", {
  not_found: ["not_found", (id: bigint) => `user ${id} does not exist`],
  username_taken: ["conflict", (username: string) => `the username "${username}" is taken by another user`],
  unknown: ["invalid", (field: string, id: bigint) => `${field}: user ${id} does not exist`],
  feature_unknown: [
    "invalid",
    (code: string, known: string) => `featureCodes: feature "${code}" does not exist; known features: ${known}`,
  ],
});
