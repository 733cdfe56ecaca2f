import { invalid } from "edgehelm";
import type { Certificate, PublicKey } from "./certificate.ts";
import { childrenOf, type DerElement, DerError, expectTag, readDer, TAG, writeDer } from "./der.ts";
import { errors } from "../errors.ts";
import { pemBlocks } from "./pem.ts";

type Algorithm = RsaHashedImportParams | EcKeyImportParams | { readonly name: "Ed25519" };

const RSA = "1.2.840.113549.1.1.1";
const EC = "1.2.840.10045.2.1";
const ED25519 = "1.3.101.112";
const CURVES: Readonly<Record<string, string>> = {
  "1.2.840.10045.3.1.7": "P-256",
  "1.3.132.0.34": "P-384",
  "1.3.132.0.35": "P-521",
};
/** The context-specific tag of the public key. */
const PUBLIC_KEY = 0xa1;
/** A modulus of 8192 bits and an exponent; signing with larger keys is slow. */
const MAX_RSA_BYTES = 1100;
const VERSION_0 = Uint8Array.of(TAG.integer, 1, 0);
const PROBE = new TextEncoder().encode("does the key belong to the certificate?");

/** Refuses a private key that is malformed, encrypted, or does not match the certificate: its signature must verify. */
export async function checkPrivateKey(field: string, pem: Uint8Array, { publicKey }: Certificate): Promise<void> {
  const algorithm = algorithmOf(field, publicKey);
  const pkcs8 = pkcs8Of(field, pem, publicKey);
  const signatureAlgorithm = { name: algorithm.name, hash: "SHA-256" };
  let isMatch: boolean;
  try {
    const signer = await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
    const spki = new Uint8Array(publicKey.whole);
    const verifier = await crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]);
    const signature = await crypto.subtle.sign(signatureAlgorithm, signer, PROBE);
    isMatch = await crypto.subtle.verify(signatureAlgorithm, verifier, signature, PROBE);
  } catch {
    // a key of another algorithm or curve cannot be imported
    throw errors.key_mismatch(field);
  }
  if (!isMatch) throw errors.key_mismatch(field);
}

/** Returns the signature algorithm for the certificate's key. */
function algorithmOf(field: string, { type, curve, point }: PublicKey): Algorithm {
  if (type === RSA) {
    const { length } = point.content;
    if (length > MAX_RSA_BYTES) throw invalid(field, "the certificate has an RSA key of more than 8192 bits");
    return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  }
  if (type === ED25519) return { name: "Ed25519" };
  const namedCurve = type === EC ? CURVES[curve] : undefined;
  if (namedCurve !== undefined) return { name: "ECDSA", namedCurve };
  throw invalid(field, "the certificate must have a key of RSA, ECDSA on P-256, P-384 or P-521, or Ed25519");
}

/** Returns the key as PKCS #8; PKCS #1 and SEC 1 keys are wrapped. */
function pkcs8Of(field: string, pem: Uint8Array, { algorithmId, point }: PublicKey): Uint8Array<ArrayBuffer> {
  const wrap = (key: Uint8Array) =>
    writeDer(TAG.sequence, VERSION_0, algorithmId.whole, writeDer(TAG.octetString, key));
  for (const { label, der } of pemBlocks(field, pem)) {
    switch (label) {
      case "PRIVATE KEY":
        return der;
      case "RSA PRIVATE KEY":
        return wrap(der);
      case "EC PRIVATE KEY":
        return wrap(withPoint(field, der, point));
      default:
        if (label.startsWith("ENCRYPTED ")) throw invalid(field, "must not be encrypted");
    }
  }
  throw invalid(field, "must be a private key in PEM (-----BEGIN PRIVATE KEY-----)");
}

/** Rewrites an EC key (RFC 5915) with the certificate's public key and without the curve, which PKCS #8 specifies. */
function withPoint(field: string, der: Uint8Array, point: DerElement): Uint8Array {
  try {
    const [version, secret] = childrenOf(readDer(der));
    const number = expectTag(version, TAG.integer).whole;
    return writeDer(TAG.sequence, number, expectTag(secret, TAG.octetString).whole, writeDer(PUBLIC_KEY, point.whole));
  } catch (error) {
    if (error instanceof DerError) throw invalid(field, `is malformed: ${error.message}`);
    throw error;
  }
}
