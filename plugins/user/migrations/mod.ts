import * as createUsers from "./0001_create_users.ts";

export const migrations = {
  "0001_create_users": createUsers,
};
