import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";

/** The JWT name of Ed25519 signatures that every library supports (RFC 8037). */
export const SIGNING_ALGORITHM = "EdDSA";

/** An Ed25519 key pair; neither half can be exported from its `CryptoKey`. */
export interface SigningKey {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

/** Generates a key pair in the form that is stored. `privateJwk` is plain text and must be sealed. */
export async function generateSigningKey(): Promise<{ kid: string; publicJwk: string; privateJwk: string }> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const privateJwk = await exportJWK(pair.privateKey);
  const kid = await calculateJwkThumbprint(privateJwk);
  return { kid, publicJwk: JSON.stringify(toPublicJwk(kid, privateJwk)), privateJwk: JSON.stringify(privateJwk) };
}

/** Derives both keys from the private JWK. A public key can thus be introduced only by a holder of the sealing key. */
export async function importSigningKey(kid: string, privateJwk: string): Promise<SigningKey> {
  const jwk: JWK = JSON.parse(privateJwk);
  const publicJwk = toPublicJwk(kid, jwk);
  const [publicKey, privateKey] = await Promise.all([importKey(publicJwk), importKey(jwk)]);
  return { kid, publicJwk, publicKey, privateKey };
}

function toPublicJwk(kid: string, { kty, crv, x }: JWK): JWK {
  return { kty: kty!, crv: crv!, x: x!, kid, alg: SIGNING_ALGORITHM, use: "sig" };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM, { extractable: false });
  if (key instanceof Uint8Array) throw new TypeError("a signing key must be an Ed25519 key");
  return key as CryptoKey;
}
