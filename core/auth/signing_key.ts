import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";

/** The JWT name of Ed25519 signatures that every library knows. */
export const SIGNING_ALGORITHM = "EdDSA";

/** An Ed25519 key pair; neither half can be exported from its `CryptoKey`. */
export interface SigningKey {
  /** The RFC 7638 thumbprint of the public half. */
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

/** Makes a new pair, as the texts that are stored. `privateJwk` is in clear: seal it. */
export async function generateSigningKey(): Promise<{ kid: string; publicJwk: string; privateJwk: string }> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const privateJwk = await exportJWK(pair.privateKey);
  const kid = await calculateJwkThumbprint(privateJwk);
  return { kid, publicJwk: JSON.stringify(publicHalf(kid, privateJwk)), privateJwk: JSON.stringify(privateJwk) };
}

/** Takes both halves from the private text, so that only who could seal it can bring in a public key. */
export async function importSigningKey(kid: string, privateJwk: string): Promise<SigningKey> {
  const jwk: JWK = JSON.parse(privateJwk);
  const publicJwk = publicHalf(kid, jwk);
  const [publicKey, privateKey] = await Promise.all([importHalf(publicJwk), importHalf(jwk)]);
  return { kid, publicJwk, publicKey, privateKey };
}

function publicHalf(kid: string, { kty, crv, x }: JWK): JWK {
  return { kty: kty!, crv: crv!, x: x!, kid, alg: SIGNING_ALGORITHM, use: "sig" };
}

async function importHalf(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM, { extractable: false });
  if (key instanceof Uint8Array) throw new TypeError("a signing key must be an Ed25519 key");
  return key;
}
