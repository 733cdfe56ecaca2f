import { readFileSync } from "node:fs";
import { root } from "../../rules/generated.ts";

/**
 * Returns a test certificate or key: `rsa.pem` with its intermediate, `rsa_renewed.pem` with the same key, `p256.pem`
 * with IP addresses, `p384.pem` without alternative names, `ed25519.pem`, `expired.pem` and `root.pem`. The keys are
 * used only in tests.
 */
export function certificateFile(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(`${root}test/fixtures/certificates/${name}`));
}
