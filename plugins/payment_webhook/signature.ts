import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { errors } from "./errors.ts";

// Standard Webhooks: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, several of them separated by spaces.

const TOLERANCE_SECONDS = 300;
const MAX_ID = 200;
const MAX_SIGNATURES = 10;
const PREFIX = "whsec_";
const encoder = new TextEncoder();

/** The signed headers of a notice. */
export interface SignedHeaders {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/**
 * Verifies a notice against several secrets. Refuses it unless one of them signed it within the last five minutes.
 *
 * @param now the current time in Unix seconds
 * @returns the id of the event
 */
export async function verified(
  { id, timestamp, signature }: SignedHeaders,
  body: Uint8Array,
  secrets: readonly string[],
  now: number,
): Promise<string> {
  if (id === undefined || id === "" || id.length > MAX_ID) throw errors.unsigned("webhook-id is missing or too long");
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) {
    throw errors.unsigned("webhook-timestamp must be in Unix seconds");
  }
  if (Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw errors.unsigned(`webhook-timestamp is more than ${TOLERANCE_SECONDS} seconds from now`);
  }
  const signatures = (signature ?? "").split(" ").filter((part) => part.startsWith("v1,")).slice(0, MAX_SIGNATURES);
  const signed = signedBytes(id, timestamp, body);
  for (const secret of secrets) {
    const key = await keyOf(secret, "verify");
    for (const candidate of signatures) {
      const bytes = decoded(candidate.slice(3));
      // the runtime compares in constant time
      if (bytes !== undefined && await crypto.subtle.verify("HMAC", key, bytes, signed)) return id;
    }
  }
  throw errors.unsigned("no secret of the order method signed it");
}

/** Returns the headers that sign a body that we send. */
export async function signedHeaders(secret: string, id: string, timestamp: number, body: string) {
  const signature = await signText(secret, `${id}.${timestamp}.${body}`);
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
}

/** Returns a signature such as `v1,…` of a text. */
export async function signText(secret: string, text: string): Promise<string> {
  const bytes = await crypto.subtle.sign("HMAC", await keyOf(secret, "sign"), encoder.encode(text));
  return `v1,${base64Encode(new Uint8Array(bytes))}`;
}

/** Returns the key of a secret, or undefined if it is not `whsec_` and base64 of 16 to 64 bytes. */
export function secretBytes(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = secret.startsWith(PREFIX) ? decoded(secret.slice(PREFIX.length)) : undefined;
  return bytes !== undefined && bytes.length >= 16 && bytes.length <= 64 ? bytes : undefined;
}

function keyOf(secret: string, use: "sign" | "verify"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", secretBytes(secret)!, { name: "HMAC", hash: "SHA-256" }, false, [use]);
}

function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(base64Decode(base64));
  } catch {
    return undefined;
  }
}
