import * as createUserAccessKeys from "./0001_create_user_access_keys.ts";
import * as addRestrictions from "./0002_add_restrictions.ts";
import * as indexUsers from "./0003_index_users.ts";

export const migrations = {
  "0001_create_user_access_keys": createUserAccessKeys,
  "0002_add_restrictions": addRestrictions,
  "0003_index_users": indexUsers,
};
