import * as createUserBills from "./0001_create_user_bills.ts";

export const migrations = {
  "0001_create_user_bills": createUserBills,
};
