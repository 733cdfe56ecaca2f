import { constantTimeEqual } from "edgehelm/auth";
import { base32Bytes } from "./base32.ts";

const STEP_SECONDS = 30n;
const DIGITS = 6;
/** The clocks of people and the installation may differ by one step. */
const WINDOW = [0n, -1n, 1n];

/** Returns the code of a step (RFC 6238 with SHA-1 and six digits). */
export async function codeOf(secret: string, step: bigint): Promise<string> {
  const key = await crypto.subtle.importKey("raw", base32Bytes(secret), { name: "HMAC", hash: "SHA-1" }, false, [
    "sign",
  ]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, step);
  const digest = new DataView(await crypto.subtle.sign("HMAC", key, counter));
  const number = digest.getUint32(digest.getUint8(19) & 15) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** Returns the step of a code at a time in unix seconds, or undefined if it is wrong or not later than the last step. */
export async function stepOf(
  secret: string,
  code: string,
  now: bigint,
  lastStep: bigint,
): Promise<bigint | undefined> {
  const current = now / STEP_SECONDS;
  let found: bigint | undefined;
  for (const step of WINDOW.map((distance) => current + distance)) {
    if (await constantTimeEqual(await codeOf(secret, step), code) && step > lastStep) found ??= step;
  }
  return found;
}
