import type { Clock } from "edgehelm";
import { ACMEError } from "../contract/acme_error.ts";

const NAMESPACE = "urn:ietf:params:acme:error:";
const MAX_RETRY_AFTER_SECONDS = 7 * 86_400;
const MAX_PROBLEMS = 100;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the object in a response. */
export async function jsonOf(host: string, response: Response): Promise<JsonObject> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // the error below says it
  }
  throw new ACMEError(`${host} sent no JSON object`, "", response.ok ? 0 : response.status);
}

/** Returns the error of a response that is not a success, with the words of the provider. */
export async function errorOf(host: string, response: Response, clock: Clock): Promise<ACMEError> {
  const wait = retryAfter(response, clock);
  let problem: JsonObject;
  try {
    problem = await jsonOf(host, response);
  } catch {
    return new ACMEError(`${host} returned status ${response.status}`, "", response.status, wait);
  }
  return new ACMEError(
    `${host}: ${problemText(problem) || `status ${response.status}`}`,
    problemType(problem),
    response.status,
    wait,
  );
}

/** Returns the seconds of Retry-After (RFC 9110, 10.2.3), which is a number or a date. */
export function retryAfter(response: Response, clock: Clock): number | undefined {
  const value = response.headers.get("retry-after")?.trim();
  if (!value) return undefined;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - clock.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(seconds)));
}

export function problemType(problem: unknown): string {
  return textOf((problem as JsonObject)?.["type"]).replace(NAMESPACE, "").slice(0, 100);
}

/** Returns what a problem document says, with its subproblems (RFC 8555, 6.7.1); empty for none. */
export function problemText(problem: unknown): string {
  if (typeof problem !== "object" || problem === null) return "";
  const { detail, subproblems, identifier } = problem as JsonObject;
  const name = textOf((identifier as JsonObject | undefined)?.["value"]);
  const own = [name && `${name}:`, textOf(detail), problemType(problem) && `(${problemType(problem)})`]
    .filter((part) => part !== "").join(" ");
  const more = Array.isArray(subproblems) ? subproblems.slice(0, MAX_PROBLEMS).map(problemText) : [];
  return [own, ...more].filter((text) => text !== "").join("; ");
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the texts of a list, at most `max`. */
export function textsOf(value: unknown, max: number): string[] {
  return Array.isArray(value) ? value.slice(0, max).map(textOf).filter((text) => text !== "") : [];
}
