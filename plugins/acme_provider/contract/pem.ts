const LINE_LENGTH = 64;

/** Writes a block of PEM text (RFC 7468). */
export function pem(label: string, der: Uint8Array): string {
  const base64 = btoa(Array.from(der, (byte) => String.fromCharCode(byte)).join(""));
  const lines: string[] = [];
  for (let at = 0; at < base64.length; at += LINE_LENGTH) lines.push(base64.slice(at, at + LINE_LENGTH));
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** Returns the first block with a label; undefined if there is none. */
export function pemBytes(label: string, text: string): Uint8Array<ArrayBuffer> | undefined {
  const begin = `-----BEGIN ${label}-----`;
  const start = text.indexOf(begin);
  const end = text.indexOf(`-----END ${label}-----`, start);
  if (start < 0 || end < 0) return undefined;
  const base64 = text.slice(start + begin.length, end).replace(/\s+/g, "");
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
