import * as createFormalClientBrowsers from "./0001_create_formal_client_browsers.ts";

export const migrations = {
  "0001_create_formal_client_browsers": createFormalClientBrowsers,
};
