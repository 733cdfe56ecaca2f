import * as createNSRecords from "./0001_create_ns_records.ts";

export const migrations = {
  "0001_create_ns_records": createNSRecords,
};
