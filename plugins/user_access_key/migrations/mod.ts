import * as createUserAccessKeys from "./0001_create_user_access_keys.ts";

export const migrations = {
  "0001_create_user_access_keys": createUserAccessKeys,
};
