import { der, derInteger, TAG } from "./der.ts";
import { pemBytes } from "./pem.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;
/** ecdsa-with-SHA256 */
const SIGNATURE = Uint8Array.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02);
/** extensionRequest */
const EXTENSION_REQUEST = Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e);
/** subjectAltName */
const ALTERNATIVE_NAMES = Uint8Array.of(0x55, 0x1d, 0x11);
const ATTRIBUTES = 0xa0;
const DNS_NAME = 0x82;
/** The bytes of one of the two numbers of a signature on P-256. */
const NUMBER_BYTES = 32;

/** Creates a request for a certificate (RFC 2986) with names in its extension, and an empty subject. */
export async function certificateRequest(names: readonly string[], keyPem: string): Promise<Uint8Array> {
  const pkcs8 = pemBytes("PRIVATE KEY", keyPem);
  if (pkcs8 === undefined) throw new TypeError("the key is not PKCS #8 in PEM");
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, true, ["sign"]);
  const info = der(
    TAG.sequence,
    derInteger(Uint8Array.of(0)),
    der(TAG.sequence),
    await publicKeyOf(key),
    der(ATTRIBUTES, attribute(names)),
  );
  const signature = new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, info));
  const numbers = der(
    TAG.sequence,
    derInteger(signature.subarray(0, NUMBER_BYTES)),
    derInteger(signature.subarray(NUMBER_BYTES)),
  );
  const algorithm = der(TAG.sequence, der(TAG.objectId, SIGNATURE));
  return der(TAG.sequence, info, algorithm, der(TAG.bitString, Uint8Array.of(0), numbers));
}

function attribute(names: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  const alternatives = der(TAG.sequence, ...names.map((name) => der(DNS_NAME, encoder.encode(name))));
  const extension = der(TAG.sequence, der(TAG.objectId, ALTERNATIVE_NAMES), der(TAG.octetString, alternatives));
  return der(TAG.sequence, der(TAG.objectId, EXTENSION_REQUEST), der(TAG.set, der(TAG.sequence, extension)));
}

async function publicKeyOf(privateKey: CryptoKey): Promise<Uint8Array> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", privateKey);
  const jwk = { kty: kty!, crv: crv!, x: x!, y: y! };
  const publicKey = await crypto.subtle.importKey("jwk", jwk, ALGORITHM, true, ["verify"]);
  return new Uint8Array(await crypto.subtle.exportKey("spki", publicKey));
}
