// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/SSLCertService/countSSLCerts": ["kernel.invalid_field"],
  "/SSLCertService/createSSLCert": ["kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","ssl_cert.key_mismatch","ssl_cert.not_found","user.unknown"],
  "/SSLCertService/createSSLCerts": ["kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","ssl_cert.key_mismatch","ssl_cert.not_found","user.unknown"],
  "/SSLCertService/deleteSSLCert": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ssl_cert.in_use","ssl_cert.not_found"],
  "/SSLCertService/findEnabledSSLCertConfig": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ssl_cert.not_found"],
  "/SSLCertService/findSSLCertUser": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ssl_cert.not_found"],
  "/SSLCertService/listSSLCerts": ["kernel.invalid_field"],
  "/SSLCertService/updateSSLCert": ["kernel.invalid_field","kernel.other_owner","kernel.shared","ssl_cert.changed_meanwhile","ssl_cert.key_mismatch","ssl_cert.not_found"],
};
