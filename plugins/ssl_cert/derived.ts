import { hexText } from "edgehelm/wire";
import { type Certificate, readCertificates } from "./x509/certificate.ts";
import type { Derived } from "./contract.ts";

/** Parses certificates in PEM and derives the columns to store. */
export async function derive(field: string, pem: Uint8Array): Promise<{ first: Certificate; derived: Derived }> {
  const [first, ...rest] = readCertificates(field, pem);
  const issuers = [first, ...rest].map(({ issuer }) => issuer).filter((issuer) => issuer !== "");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", first.der));
  return {
    first,
    derived: {
      timeBeginAt: first.notBefore,
      timeEndAt: first.notAfter,
      dnsNames: JSON.stringify(first.names),
      commonNames: JSON.stringify([...new Set(issuers)]),
      fingerprint: hexText(digest),
    },
  };
}
