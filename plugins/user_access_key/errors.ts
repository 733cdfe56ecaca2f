import { defineErrors } from "edgehelm";

export const errors = defineErrors("user_access_key", {
  not_found: ["not_found", (id: bigint) => `access key ${id} does not exist`],
  no_owner: ["invalid", () => "exactly one of userId and adminId must be set to the owner of the access key"],
  admin_missing: ["invalid", (adminId: bigint) => `adminId: admin ${adminId} does not exist or is turned off`],
  user_missing: ["invalid", (userId: bigint) => `userId: user ${userId} does not exist, is turned off or was rejected`],
  restricted: [
    "forbidden",
    () => "permission denied: a restricted access key may neither create access keys nor change their restrictions",
  ],
  username_missing: ["not_found", (username: string) => `admin "${username}" does not exist`],
});
