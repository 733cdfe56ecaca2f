import * as createUserBills from "./0001_create_user_bills.ts";
import * as createUserBillCharges from "./0002_create_user_bill_charges.ts";
import * as createUserBillProgress from "./0003_create_user_bill_progress.ts";
import * as tellOverdueBills from "./0004_tell_overdue.ts";
import * as remindOfBills from "./0005_remind_of_bills.ts";

export const migrations = {
  "0001_create_user_bills": createUserBills,
  "0002_create_user_bill_charges": createUserBillCharges,
  "0003_create_user_bill_progress": createUserBillProgress,
  "0004_tell_overdue": tellOverdueBills,
  "0005_remind_of_bills": remindOfBills,
};
