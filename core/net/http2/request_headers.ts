import type { HeaderField } from "../hpack/header_field.ts";

/** The header fields of a well-formed request. */
export interface RequestHeaders {
  readonly method: string;
  readonly path: string;
  /** The length of the body in bytes; undefined if the request does not declare it. */
  readonly contentLength: number | undefined;
  readonly fields: readonly HeaderField[];
}

/** Returns the value of a field. The values of a repeated field are joined by commas. */
export function headerValue(fields: readonly HeaderField[], name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    if (field.name === name) value = value === undefined ? field.value : `${value}, ${field.value}`;
  }
  return value;
}

/**
 * Checks the header fields of a request (RFC 9113, sections 8.2 and 8.3).
 *
 * @returns the headers, or an error text if the request is malformed
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
    const { name, value, error, isPseudo } = fields[index]!;
    if (error !== undefined) return error;
    if (isPseudo) {
      if (isRegular) return `the field ${name} comes after regular fields`;
      if (name === ":method" && method === undefined) method = value;
      else if (name === ":path" && path === undefined) path = value;
      else if (name === ":scheme" && scheme === undefined) scheme = value;
      else if (name === ":authority" && authority === undefined) authority = value;
      else return `the field ${name} is repeated or not allowed in a request`;
    } else {
      isRegular = true;
      if (name === "host") host = value;
      else if (name === "content-length") {
        const length = /^[0-9]{1,15}$/.test(value) ? Number(value) : undefined;
        if (length === undefined || contentLength !== undefined && contentLength !== length) {
          return "the field content-length is invalid";
        }
        contentLength = length;
      }
    }
  }
  if (method === undefined) return "the field :method is missing";
  if (method === "CONNECT") {
    if (path !== undefined || scheme !== undefined || authority === undefined) {
      return "CONNECT requires :authority alone";
    }
    return { method, path: "", contentLength, fields };
  }
  if (scheme === undefined || scheme === "") return "the field :scheme is missing";
  if (path === undefined || !(path.startsWith("/") || path === "*" && method === "OPTIONS")) {
    return "the field :path is missing or does not begin with a slash";
  }
  if (host !== undefined && authority !== undefined && host.toLowerCase() !== authority.toLowerCase()) {
    return "the fields :authority and host differ";
  }
  return { method, path, contentLength, fields };
}

/** Returns an error text if the trailer fields of a request are malformed (RFC 9113, section 8.1). */
export function trailersError(fields: readonly HeaderField[]): string | undefined {
  for (const { name, error, isPseudo } of fields) {
    if (error !== undefined) return error;
    if (isPseudo) return `the field ${name} is not allowed in trailers`;
  }
  return undefined;
}
