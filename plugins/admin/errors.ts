import { defineErrors } from "edgehelm";

export const errors = defineErrors("admin", {
  not_found: ["not_found", (id: bigint) => `admin ${id} does not exist`],
  username_taken: ["conflict", (username: string) => `the username "${username}" is taken by another admin`],
  last_super: [
    "conflict",
    (id: bigint) => `admin ${id} is the last super admin who is turned on: create another one first`,
  ],
});
