import * as createSSLCerts from "./0001_create_ssl_certs.ts";

export const migrations = {
  "0001_create_ssl_certs": createSSLCerts,
};
