/** What a field costs in a table or a list beyond its text (RFC 7541, section 4.1). */
const OVERHEAD = 32;

/** One header field. What can be known of it alone is found once: a field in a table is used by many requests. */
export class HeaderField {
  readonly name: string;
  readonly value: string;
  /** Its size in a table or a list, in bytes. */
  readonly size: number;
  /** What makes every request with it malformed (RFC 9113, section 8.2.1); undefined when it is well-formed. */
  readonly fault: string | undefined;

  constructor(name: string, value: string) {
    this.name = name;
    this.value = value;
    this.size = name.length + value.length + OVERHEAD;
    this.fault = nameFault(name) ?? valueFault(name, value);
  }

  /** Whether it is one of those that begin with a colon (RFC 9113, section 8.3). */
  get isPseudo(): boolean {
    return this.name.charCodeAt(0) === COLON;
  }
}

const COLON = 0x3a;
/** The characters of a field name: those of a token (RFC 9110, section 5.6.2) without capitals. */
const NAME = /^:?[a-z0-9!#$%&'*+\-.^_`|~]+$/;
/** Belong to one HTTP/1.1 connection and have no meaning here (RFC 9113, section 8.2.2). */
const CONNECTION_SPECIFIC = new Set(["connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"]);

function nameFault(name: string): string | undefined {
  if (!NAME.test(name)) return `the field name ${JSON.stringify(name.slice(0, 60))} is not well-formed`;
  return CONNECTION_SPECIFIC.has(name) ? `the field ${name} belongs to HTTP/1.1` : undefined;
}

function valueFault(name: string, value: string): string | undefined {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code === 0 || code === 0x0a || code === 0x0d) return `the value of ${name} holds a line break or NUL`;
  }
  if (isSpace(value.charCodeAt(0)) || isSpace(value.charCodeAt(value.length - 1))) {
    return `the value of ${name} begins or ends with white space`;
  }
  return name === "te" && value !== "trailers" ? "the field te may only be trailers" : undefined;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
