import { invalid } from "edgehelm";

/** Names that are not known are counted as this one, so that clients who ask for anything do not make rows. */
export const OTHER = "OTHER";

const TYPES = new Set(
  ("A AAAA ANY CAA CDNSKEY CDS CERT CNAME DNAME DNSKEY DS HINFO HTTPS LOC MX NAPTR NS NSEC NSEC3 NSEC3PARAM PTR RRSIG " +
    "SOA SPF SRV SSHFP SVCB TLSA TXT URI").split(" "),
);
const CODES = new Set(
  ("NOERROR FORMERR SERVFAIL NXDOMAIN NOTIMP REFUSED YXDOMAIN YXRRSET NXRRSET NOTAUTH NOTZONE BADVERS").split(" "),
);

/** Checks the type of a question, and returns it, or OTHER if it is not known. */
export function typeField(field: string, text: string): string {
  return known(field, text, TYPES);
}

/** Checks a response code, and returns it, or OTHER if it is not known. */
export function codeField(field: string, text: string): string {
  return known(field, text, CODES);
}

function known(field: string, text: string, names: ReadonlySet<string>): string {
  if (!/^[A-Z0-9]{1,16}$/.test(text)) {
    throw invalid(field, `must be 1 to 16 capital letters and digits, got "${text.slice(0, 60)}"`);
  }
  return names.has(text) ? text : OTHER;
}
