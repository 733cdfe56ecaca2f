/** The name of what is not known, and of what did not fit. */
export const OTHER = "OTHER";

const TYPES: Readonly<Record<number, string>> = {
  1: "A",
  2: "NS",
  5: "CNAME",
  6: "SOA",
  12: "PTR",
  13: "HINFO",
  15: "MX",
  16: "TXT",
  28: "AAAA",
  29: "LOC",
  33: "SRV",
  35: "NAPTR",
  37: "CERT",
  39: "DNAME",
  43: "DS",
  44: "SSHFP",
  46: "RRSIG",
  47: "NSEC",
  48: "DNSKEY",
  50: "NSEC3",
  51: "NSEC3PARAM",
  52: "TLSA",
  59: "CDS",
  60: "CDNSKEY",
  64: "SVCB",
  65: "HTTPS",
  99: "SPF",
  255: "ANY",
  256: "URI",
  257: "CAA",
};

const CODES = (
  "NOERROR FORMERR SERVFAIL NXDOMAIN NOTIMP REFUSED YXDOMAIN YXRRSET NXRRSET NOTAUTH NOTZONE"
).split(" ");

/** Returns the name of a type, such as AAAA. */
export function typeName(type: number): string {
  return TYPES[type] ?? OTHER;
}

/** Returns the name of a response code, such as NXDOMAIN. */
export function codeName(code: number): string {
  return CODES[code] ?? OTHER;
}
