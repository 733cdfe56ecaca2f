import type { JsonObject } from "@bufbuild/protobuf";

/** A request as a line of a log tells of it. */
export interface LoggedRequest {
  /** Unix milliseconds. */
  readonly at: number;
  /** HTTPAccessLog in the JSON of the API, without `requestId`. */
  readonly log: JsonObject;
}

/** Reads one kind of lines; undefined for a line that is of another kind. */
export type LineFormat = (line: string) => LoggedRequest | undefined;

/** What a request target says: `/path?query`, also where it names the host. */
export function target(text: string): { requestURI: string; requestPath: string; args: string; host?: string } {
  const absolute = /^https?:\/\/([^/?#\s]+)(.*)$/is.exec(text);
  const requestURI = absolute === null ? text : absolute[2] || "/";
  const question = requestURI.indexOf("?");
  const requestPath = question < 0 ? requestURI : requestURI.slice(0, question);
  const args = question < 0 ? "" : requestURI.slice(question + 1);
  return { requestURI, requestPath, args, ...absolute !== null && { host: absolute[1]! } };
}
