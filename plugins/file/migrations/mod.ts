import * as createFiles from "./0001_create_files.ts";

export const migrations = {
  "0001_create_files": createFiles,
};
