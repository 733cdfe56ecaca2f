import { invalid } from "edgehelm";

/** A block of PEM text (RFC 7468). */
export interface PemBlock {
  readonly label: string;
  readonly der: Uint8Array<ArrayBuffer>;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g;

/** Returns the blocks of PEM text; text between them is ignored. */
export function pemBlocks(field: string, bytes: Uint8Array): PemBlock[] {
  const text = new TextDecoder("latin1").decode(bytes);
  return [...text.matchAll(BLOCK)].map(([, label = "", body = ""]) => {
    if (/^Proc-Type:[^\n]*ENCRYPTED/m.test(body)) return { label: `ENCRYPTED ${label}`, der: new Uint8Array() };
    return { label, der: decodeBase64(field, label, body.replace(/^[A-Za-z-]+:.*$/gm, "").replace(/\s+/g, "")) };
  });
}

function decodeBase64(field: string, label: string, base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    throw invalid(field, `the PEM block ${label} is not valid base64`);
  }
}
