import { invalid } from "edgehelm";
import { childrenOf, type DerElement, DerError, expectTag, objectId, readDer, TAG } from "./der.ts";
import { pemBlocks } from "./pem.ts";
import { generalNames, nameText } from "./names.ts";

const SUBJECT_ALT_NAME = "2.5.29.17";
/** The context-specific tag of the extensions of a certificate. */
const EXTENSIONS = 0xa3;
const VERSION = 0xa0;
const MAX_CERTIFICATES = 20;
const MAX_NAMES = 1000;

/** The parsed fields of an X.509 certificate (RFC 5280). */
export interface Certificate {
  readonly der: Uint8Array<ArrayBuffer>;
  /** The common name of the issuer, or else its organization; may be empty. */
  readonly issuer: string;
  /** In Unix seconds, like notAfter. */
  readonly notBefore: bigint;
  readonly notAfter: bigint;
  /** The domains and IP addresses of the certificate, in lower case. */
  readonly names: readonly string[];
  readonly publicKey: PublicKey;
}

/** The subjectPublicKeyInfo of a certificate. */
export interface PublicKey {
  readonly whole: Uint8Array;
  readonly algorithmId: DerElement;
  /** The public key as a bit string. */
  readonly point: DerElement;
  /** The object identifier of the key algorithm. */
  readonly type: string;
  /** The object identifier of the curve; empty if the algorithm has none. */
  readonly curve: string;
}

/** Parses a certificate in PEM, which is followed by its chain. */
export function readCertificates(field: string, pem: Uint8Array): [Certificate, ...Certificate[]] {
  const blocks = pemBlocks(field, pem).filter(({ label }) => label === "CERTIFICATE");
  if (blocks.length > MAX_CERTIFICATES) {
    throw invalid(field, `must have at most ${MAX_CERTIFICATES} certificates, got ${blocks.length}`);
  }
  const [first, ...rest] = blocks.map(({ der }, index) => {
    try {
      return parseCertificate(der);
    } catch (error) {
      if (!(error instanceof DerError)) throw error;
      throw invalid(field, `certificate ${index + 1} is malformed: ${error.message}`);
    }
  });
  if (first === undefined) throw invalid(field, "must contain a certificate in PEM (-----BEGIN CERTIFICATE-----)");
  return [first, ...rest];
}

function parseCertificate(der: Uint8Array<ArrayBuffer>): Certificate {
  const [toBeSigned] = childrenOf(readDer(der));
  const fields = childrenOf(toBeSigned);
  if (fields[0]?.tag === VERSION) fields.shift();
  const [, , issuer, validity, subject, publicKey, ...more] = fields;
  const [notBefore, notAfter] = childrenOf(validity).map(unixTime);
  if (notBefore === undefined || notAfter === undefined) throw new DerError("validity is missing");
  const names = alternativeNames(more.find(({ tag }) => tag === EXTENSIONS));
  if (names.length > MAX_NAMES) throw new DerError(`more than ${MAX_NAMES} names`);
  const subjectName = nameText(subject).toLowerCase();
  return {
    der,
    issuer: nameText(issuer),
    notBefore,
    notAfter,
    // older certificates have their name in the subject instead of the alternative names
    names: names.length > 0 || subjectName === "" ? names : [subjectName],
    publicKey: parsePublicKey(publicKey),
  };
}

function parsePublicKey(element: DerElement | undefined): PublicKey {
  const { whole } = expectTag(element, TAG.sequence);
  const [first, point] = childrenOf(element);
  const algorithmId = expectTag(first, TAG.sequence);
  const [type, parameters] = childrenOf(algorithmId);
  return {
    whole,
    algorithmId,
    point: expectTag(point, TAG.bitString),
    type: objectId(type),
    curve: parameters?.tag === TAG.objectId ? objectId(parameters) : "",
  };
}

function alternativeNames(extensions: DerElement | undefined): string[] {
  if (extensions === undefined) return [];
  for (const extension of childrenOf(childrenOf(extensions, EXTENSIONS)[0])) {
    const parts = childrenOf(extension);
    if (objectId(parts[0]) === SUBJECT_ALT_NAME) {
      return generalNames(readDer(expectTag(parts.at(-1), TAG.octetString).content));
    }
  }
  return [];
}

/** Converts a UTCTime, whose two-digit year is 1950 to 2049, or a GeneralizedTime to Unix seconds. */
function unixTime({ tag, content }: DerElement): bigint {
  const text = new TextDecoder("latin1").decode(content);
  const digits = tag === TAG.utcTime ? (text < "5" ? `20${text}` : `19${text}`) : text;
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits) ?? [];
  const [year, month, day, hour, minute, second] = parts.map(Number);
  const isTime = tag === TAG.utcTime || tag === TAG.generalizedTime;
  if (!isTime || year === undefined) throw new DerError("invalid date");
  return BigInt(Date.UTC(year, month! - 1, day, hour, minute, second) / 1000);
}
