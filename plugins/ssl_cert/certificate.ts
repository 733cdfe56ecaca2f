import { invalid } from "edgehelm";
import { childrenOf, type DerElement, DerError, expectTag, objectId, readDer, TAG } from "./der.ts";
import { pemBlocks } from "./pem.ts";
import { generalNames, nameText } from "./x509_names.ts";

const SUBJECT_ALT_NAME = "2.5.29.17";
/** The context-specific tag of a certificate's extensions. */
const EXTENSIONS = 0xa3;
const VERSION = 0xa0;
const MAX_CERTIFICATES = 20;
const MAX_NAMES = 1000;

/** What an X.509 certificate (RFC 5280) says of itself. */
export interface Certificate {
  readonly der: Uint8Array<ArrayBuffer>;
  /** The common name of its issuer, or the issuer's organization; may be empty. */
  readonly issuer: string;
  /** In unix seconds. */
  readonly notBefore: bigint;
  readonly notAfter: bigint;
  /** The domains and addresses that it is for, in lower case. */
  readonly names: readonly string[];
  readonly publicKey: PublicKey;
}

/** A certificate's subjectPublicKeyInfo. */
export interface PublicKey {
  readonly whole: Uint8Array;
  readonly algorithmId: DerElement;
  /** The key itself, a bit string. */
  readonly point: DerElement;
  /** The object identifier of the kind of key. */
  readonly type: string;
  /** The object identifier of the curve; empty when there is none. */
  readonly curve: string;
}

/** Reads certificates in PEM: the first is the one itself, the others are those it is signed with. */
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
      throw invalid(field, `certificate ${index + 1} cannot be read: ${error.message}`);
    }
  });
  if (first === undefined) throw invalid(field, "must hold a certificate in PEM (-----BEGIN CERTIFICATE-----)");
  return [first, ...rest];
}

function parseCertificate(der: Uint8Array<ArrayBuffer>): Certificate {
  const [toBeSigned] = childrenOf(readDer(der));
  const fields = childrenOf(toBeSigned);
  if (fields[0]?.tag === VERSION) fields.shift();
  const [, , issuer, validity, subject, publicKey, ...more] = fields;
  const [notBefore, notAfter] = childrenOf(validity).map(unixTime);
  if (notBefore === undefined || notAfter === undefined) throw new DerError("it has no validity");
  const names = alternativeNames(more.find(({ tag }) => tag === EXTENSIONS));
  if (names.length > MAX_NAMES) throw new DerError(`it has more than ${MAX_NAMES} names`);
  const subjectName = nameText(subject).toLowerCase();
  return {
    der,
    issuer: nameText(issuer),
    notBefore,
    notAfter,
    // names in the subject are what clients looked at before there were alternative names
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

/** UTCTime has two digits of the year, from 1950 to 2049. */
function unixTime({ tag, content }: DerElement): bigint {
  const text = new TextDecoder("latin1").decode(content);
  const digits = tag === TAG.utcTime ? (text < "5" ? `20${text}` : `19${text}`) : text;
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits) ?? [];
  const [year, month, day, hour, minute, second] = parts.map(Number);
  const isTime = tag === TAG.utcTime || tag === TAG.generalizedTime;
  if (!isTime || year === undefined) throw new DerError("it has a date that is none");
  return BigInt(Date.UTC(year, month! - 1, day, hour, minute, second) / 1000);
}
