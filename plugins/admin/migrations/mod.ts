import * as createAdmins from "./0001_create_admins.ts";

export const migrations = {
  "0001_create_admins": createAdmins,
};
