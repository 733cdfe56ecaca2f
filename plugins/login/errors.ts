import { defineErrors } from "edgehelm";

export const errors = defineErrors("login", {
  no_owner: ["invalid", () => "exactly one of adminId and userId must be set to the owner of the second factor"],
  owner_missing: ["invalid", (field: string, id: bigint) => `${field}: ${id} does not exist`],
  secret_missing: ["invalid", () => "login.paramsJSON: must have a secret, because none is stored"],
  is_on: ["conflict", () => "the second factor is turned on: turn it off first"],
  is_off: ["conflict", () => "the second factor is turned off"],
});
