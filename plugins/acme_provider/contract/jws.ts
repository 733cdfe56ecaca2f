import { base64UrlOf, base64UrlText } from "./base64url.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" } as const;

/** A public key, with its members in the order of RFC 7638. */
export interface PublicJwk {
  readonly crv: string;
  readonly kty: string;
  readonly x: string;
  readonly y: string;
}

export interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly jwk: PublicJwk;
}

/** A signed request (RFC 7515, 7.2.2). */
export interface Jws {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

/** Creates a private key, as a JWK. */
export async function newPrivateKey(): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey("jwk", privateKey);
  return JSON.stringify({ kty, crv, x, y, d });
}

export async function importKey(key: string): Promise<SigningKey> {
  const { crv, kty, x, y, d } = JSON.parse(key) as PublicJwk & { readonly d: string };
  const privateKey = await crypto.subtle.importKey("jwk", { crv, kty, x, y, d }, ALGORITHM, false, ["sign"]);
  return { privateKey, jwk: { crv, kty, x, y } };
}

/** Returns the thumbprint of a key (RFC 7638). */
export async function thumbprint({ crv, kty, x, y }: PublicJwk): Promise<string> {
  const canonical = new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }));
  return base64UrlText(new Uint8Array(await crypto.subtle.digest("SHA-256", canonical)));
}

/** Signs a payload with ES256. An undefined payload is empty, for a request that only reads. */
export async function signed(key: CryptoKey, header: object, payload: object | undefined): Promise<Jws> {
  return await sign({ ...header, alg: "ES256" }, payload, (input) => crypto.subtle.sign(SIGNATURE, key, input));
}

/** Signs an external account binding with HS256 (RFC 8555, 7.3.4). */
export async function bound(jwk: PublicJwk, kid: string, secret: Uint8Array<ArrayBuffer>, url: string): Promise<Jws> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return await sign({ alg: "HS256", kid, url }, jwk, (input) => crypto.subtle.sign("HMAC", key, input));
}

async function sign(
  header: object,
  payload: object | undefined,
  signer: (input: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>,
): Promise<Jws> {
  const head = base64UrlOf(JSON.stringify(header));
  const body = payload === undefined ? "" : base64UrlOf(JSON.stringify(payload));
  const signature = await signer(new TextEncoder().encode(`${head}.${body}`));
  return { protected: head, payload: body, signature: base64UrlText(new Uint8Array(signature)) };
}
