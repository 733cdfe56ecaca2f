import type { JsonObject } from "@bufbuild/protobuf";

/** A request parsed from a line of a log. */
export interface LoggedRequest {
  /** Unix milliseconds. */
  readonly at: number;
  /** HTTPAccessLog in the JSON form of the API, without `requestId`. */
  readonly log: JsonObject;
}

/** Parses a line of one format; returns undefined if the line has another format. */
export type LineFormat = (line: string) => LoggedRequest | undefined;

/** Splits a request target, which is `/path?query` or an absolute URL. */
export function target(text: string): { requestURI: string; requestPath: string; args: string; host?: string } {
  const absolute = /^https?:\/\/([^/?#\s]+)(.*)$/is.exec(text);
  const requestURI = absolute === null ? text : absolute[2] || "/";
  const question = requestURI.indexOf("?");
  const requestPath = question < 0 ? requestURI : requestURI.slice(0, question);
  const args = question < 0 ? "" : requestURI.slice(question + 1);
  return { requestURI, requestPath, args, ...absolute !== null && { host: absolute[1]! } };
}
