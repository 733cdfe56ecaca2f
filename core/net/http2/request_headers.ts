import type { HeaderField } from "../hpack/header_field.ts";

/** The header fields of a well-formed request. */
export interface RequestHeaders {
  readonly method: string;
  readonly path: string;
  /** Undefined when the request does not tell how long its body is. */
  readonly contentLength: number | undefined;
  readonly fields: readonly HeaderField[];
}

/** The value of a field; the values of one that stands more than once are joined by commas. */
export function headerValue(fields: readonly HeaderField[], name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    if (field.name === name) value = value === undefined ? field.value : `${value}, ${field.value}`;
  }
  return value;
}

/**
 * Reads the head of a request (RFC 9113, sections 8.2 and 8.3).
 *
 * @returns what makes it malformed, as text, when something does
 */
export function readRequestHeaders(fields: readonly HeaderField[]): RequestHeaders | string {
  let method: string | undefined;
  let path: string | undefined;
  let scheme: string | undefined;
  let authority: string | undefined;
  let host: string | undefined;
  let contentLength: number | undefined;
  let isRegular = false;
  for (let index = 0; index < fields.length; index++) {
    const { name, value, fault, isPseudo } = fields[index]!;
    if (fault !== undefined) return fault;
    if (isPseudo) {
      if (isRegular) return `the field ${name} stands behind regular fields`;
      if (name === ":method" && method === undefined) method = value;
      else if (name === ":path" && path === undefined) path = value;
      else if (name === ":scheme" && scheme === undefined) scheme = value;
      else if (name === ":authority" && authority === undefined) authority = value;
      else return `the field ${name} is not of a request, or stands twice`;
    } else {
      isRegular = true;
      if (name === "host") host = value;
      else if (name === "content-length") {
        const length = /^[0-9]{1,15}$/.test(value) ? Number(value) : undefined;
        if (length === undefined || contentLength !== undefined && contentLength !== length) {
          return "the field content-length is not one number";
        }
        contentLength = length;
      }
    }
  }
  if (method === undefined) return "the field :method is missing";
  if (method === "CONNECT") {
    if (path !== undefined || scheme !== undefined || authority === undefined) return "CONNECT takes :authority alone";
    return { method, path: "", contentLength, fields };
  }
  if (scheme === undefined || scheme === "") return "the field :scheme is missing";
  if (path === undefined || !(path.startsWith("/") || path === "*" && method === "OPTIONS")) {
    return "the field :path is missing or does not begin with a slash";
  }
  if (host !== undefined && authority !== undefined && host.toLowerCase() !== authority.toLowerCase()) {
    return "the fields :authority and host name different places";
  }
  return { method, path, contentLength, fields };
}

/** What makes the fields behind a body malformed (RFC 9113, section 8.1), if something does. */
export function trailersError(fields: readonly HeaderField[]): string | undefined {
  for (const { name, fault, isPseudo } of fields) {
    if (fault !== undefined) return fault;
    if (isPseudo) return `the field ${name} stands in trailers`;
  }
  return undefined;
}
