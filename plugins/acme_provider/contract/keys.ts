import { base64UrlText } from "./base64url.ts";
import { certificateRequest } from "./csr.ts";
import { importKey, newPrivateKey, thumbprint } from "./jws.ts";
import { pem } from "./pem.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;

/** Creates the private key of an account: ECDSA on P-256, as a JWK. */
export function newAccountKey(): Promise<string> {
  return newPrivateKey();
}

/** Returns the content with which an account responds to a challenge (RFC 8555, 8.1). */
export async function keyAuthorization(accountKey: string, token: string): Promise<string> {
  const { jwk } = await importKey(accountKey);
  return `${token}.${await thumbprint(jwk)}`;
}

/** Returns the value of the TXT record that responds to a challenge (RFC 8555, 8.4). */
export async function dnsValue(authorization: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(authorization));
  return base64UrlText(new Uint8Array(digest));
}

/** Creates the private key of a certificate: ECDSA on P-256, as PKCS #8 in PEM. */
export async function newCertificateKey(): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  return pem("PRIVATE KEY", new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey)));
}

/** Returns a request for a certificate (PKCS #10), as ACME transmits it. */
export async function certificateRequestFor(names: readonly string[], keyPem: string): Promise<string> {
  return base64UrlText(await certificateRequest(names, keyPem));
}
