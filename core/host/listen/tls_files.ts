import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { StartupError } from "../../base/startup_error.ts";
import { wordCause } from "../settings/files.ts";

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate with its key, as PEM text. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads a certificate and its key, and checks that they can be served together: not every runtime would say so.
 *
 * @throws StartupError that names the file
 */
export function readTls({ certFile, keyFile }: TlsFiles): TlsPair {
  const cert = within(certFile, () => readFileSync(certFile, "utf8"));
  const key = within(keyFile, () => readFileSync(keyFile, "utf8"));
  const certificate = within(certFile, () => new X509Certificate(cert));
  const privateKey = within(keyFile, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new StartupError(`the certificate in "${certFile}" does not belong to the key in "${keyFile}"`);
  }
  return { cert, key };
}

function within<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw new StartupError(`the file "${file}" of http.tls cannot be used: ${wordCause(cause)}`, { cause });
  }
}
