import { readFileSync } from "node:fs";
import { root } from "../../rules/generated.ts";

/**
 * Certificates that were made for tests: `rsa.pem` with its intermediate, `rsa_renewed.pem` of the same key, `p256.pem`
 * with addresses, `p384.pem` without alternative names, `ed25519.pem`, `expired.pem` and `root.pem`. Their keys go with
 * nothing else in the world.
 */
export function certificateFile(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(`${root}test/fixtures/certificates/${name}`));
}
