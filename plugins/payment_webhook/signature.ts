import { isWebhookSignature } from "edgehelm/auth";
import { errors } from "./errors.ts";

const TOLERANCE_SECONDS = 300;
const MAX_ID = 200;
const MAX_SIGNATURES = 10;
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
  // several signatures are separated by spaces
  const signatures = (signature ?? "").split(" ").filter((part) => part.startsWith("v1,")).slice(0, MAX_SIGNATURES);
  const signed = signedBytes(id, timestamp, body);
  for (const secret of secrets) {
    for (const candidate of signatures) {
      if (await isWebhookSignature(secret, candidate, signed)) return id;
    }
  }
  throw errors.unsigned("no secret of the order method signed it");
}

function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}
