import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { StartupError } from "../../base/startup_error.ts";
import { errorMessage } from "../settings/files.ts";

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate and its private key, as PEM text. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads a certificate and its private key and checks that they match, which not every runtime does.
 *
 * @throws StartupError that names the file that cannot be used
 */
export function readTls({ certFile, keyFile }: TlsFiles): TlsPair {
  const cert = readFrom(certFile, () => readFileSync(certFile, "utf8"));
  const key = readFrom(keyFile, () => readFileSync(keyFile, "utf8"));
  const certificate = readFrom(certFile, () => new X509Certificate(cert));
  const privateKey = readFrom(keyFile, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new StartupError(`the certificate in "${certFile}" does not belong to the key in "${keyFile}"`);
  }
  return { cert, key };
}

function readFrom<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw new StartupError(`the http.tls file "${file}" cannot be used: ${errorMessage(cause)}`, { cause });
  }
}
