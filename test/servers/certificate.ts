import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Creates a self-signed certificate for 127.0.0.1 and localhost, and its key. */
export function makeCertificate(directory: string): { readonly certFile: string; readonly keyFile: string } {
  const [certFile, keyFile] = [join(directory, "server.pem"), join(directory, "server.key")];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", "-days", "2", ...key, ...names, "-out", certFile], { stdio: "pipe" });
  return { certFile, keyFile };
}
