/** The overhead of a field in a table or a list, in bytes (RFC 7541, section 4.1). */
const OVERHEAD = 32;

/** One header field. It is validated once, because many requests share a field in a table. */
export class HeaderField {
  readonly name: string;
  readonly value: string;
  /** Its size in a table or a list, in bytes. */
  readonly size: number;
  /** The reason why every request with the field is malformed (RFC 9113, section 8.2.1), or undefined. */
  readonly error: string | undefined;

  constructor(name: string, value: string) {
    this.name = name;
    this.value = value;
    this.size = name.length + value.length + OVERHEAD;
    this.error = nameError(name) ?? valueError(name, value);
  }

  /** True for pseudo-header fields, whose names begin with a colon (RFC 9113, section 8.3). */
  get isPseudo(): boolean {
    return this.name.charCodeAt(0) === COLON;
  }
}

const COLON = 0x3a;
/** Matches a token (RFC 9110, section 5.6.2) without upper-case letters. */
const NAME = /^:?[a-z0-9!#$%&'*+\-.^_`|~]+$/;
/** Fields that HTTP/2 prohibits (RFC 9113, section 8.2.2). */
const CONNECTION_SPECIFIC = new Set(["connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"]);

function nameError(name: string): string | undefined {
  if (!NAME.test(name)) return `the field name ${JSON.stringify(name.slice(0, 60))} is not well-formed`;
  return CONNECTION_SPECIFIC.has(name) ? `the field ${name} is specific to HTTP/1.1` : undefined;
}

function valueError(name: string, value: string): string | undefined {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code === 0 || code === 0x0a || code === 0x0d) return `the value of ${name} contains a line break or NUL`;
  }
  if (isSpace(value.charCodeAt(0)) || isSpace(value.charCodeAt(value.length - 1))) {
    return `the value of ${name} begins or ends with white space`;
  }
  return name === "te" && value !== "trailers" ? 'the field te must be "trailers"' : undefined;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
