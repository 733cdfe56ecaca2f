import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const encoder = new TextEncoder();

/**
 * Returns the key in a secret of Standard Webhooks, or undefined if it is not `whsec_` and base64 of 16 to 64 bytes.
 *
 * @example
 * ```ts
 * if (webhookKey(secret) === undefined) throw invalid("secret", "must be whsec_ and 16 to 64 bytes in base64");
 * ```
 */
export function webhookKey(secret: string): Uint8Array<ArrayBuffer> | undefined {
  if (!secret.startsWith(PREFIX)) return undefined;
  try {
    const bytes = new Uint8Array(base64Decode(secret.slice(PREFIX.length)));
    return bytes.length >= 16 && bytes.length <= 64 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns a new secret for signing web hooks: `whsec_` and 32 random bytes in base64.
 *
 * @example
 * ```ts
 * const sealed = await secrets.seal(place, newWebhookSecret());
 * ```
 */
export function newWebhookSecret(): string {
  return PREFIX + base64Encode(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** The headers of a signed web hook. */
export interface WebhookHeaders {
  /** The id of the message, the same in each attempt, by which receivers notice a repetition. */
  readonly "webhook-id": string;
  /** The time of the attempt in unix seconds. */
  readonly "webhook-timestamp": string;
  /** `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
  readonly "webhook-signature": string;
}

/**
 * Returns the headers that sign a web hook, as <https://www.standardwebhooks.com> specifies them.
 *
 * @param secret one that {@link webhookKey} accepts
 * @param id the id of the message, the same in each attempt
 * @param timestamp unix seconds
 * @param body the body, exactly as it is sent
 *
 * @example
 * ```ts
 * const headers = await webhookHeaders(secret, "message-17", Number(unixSeconds(clock)), body);
 * await call.fetch(url, { method: "POST", headers: { ...headers }, body });
 * ```
 */
export async function webhookHeaders(
  secret: string,
  id: string,
  timestamp: number,
  body: string,
): Promise<WebhookHeaders> {
  const signature = await webhookSignature(secret, `${id}.${timestamp}.${body}`);
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
}

/**
 * Returns the signature of a text, such as `v1,…`.
 *
 * @param secret one that {@link webhookKey} accepts
 *
 * @example
 * ```ts
 * page.searchParams.set("signature", await webhookSignature(secret, `${code}.${amount}`));
 * ```
 */
export async function webhookSignature(secret: string, text: string): Promise<string> {
  const bytes = await crypto.subtle.sign("HMAC", await hmacKey(secret, "sign"), encoder.encode(text));
  return `v1,${base64Encode(new Uint8Array(bytes))}`;
}

/**
 * Returns true if a signature such as `v1,…` is that of bytes. The comparison takes constant time.
 *
 * @param secret one that {@link webhookKey} accepts
 *
 * @example
 * ```ts
 * if (!await isWebhookSignature(secret, signature, signed)) throw errors.unsigned();
 * ```
 */
export async function isWebhookSignature(
  secret: string,
  signature: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (!signature.startsWith("v1,")) return false;
  let given: Uint8Array<ArrayBuffer>;
  try {
    given = new Uint8Array(base64Decode(signature.slice(3)));
  } catch {
    return false;
  }
  return await crypto.subtle.verify("HMAC", await hmacKey(secret, "verify"), given, bytes);
}

function hmacKey(secret: string, use: "sign" | "verify"): Promise<CryptoKey> {
  const key = webhookKey(secret);
  if (key === undefined) throw new TypeError("the secret of a web hook must be whsec_ and 16 to 64 bytes in base64");
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [use]);
}
