import * as createOrigins from "./0001_create_origins.ts";

export const migrations = {
  "0001_create_origins": createOrigins,
};
