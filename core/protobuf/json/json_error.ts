import { invalid, kernelErrors, type RpcError } from "../../base/errors.ts";
import { isObject, isRawNumber } from "./value.ts";

const MAX_VALUE = 60;
const MAX_PATH = 200;

/** An error about one value of the input. Its path grows while the error propagates through the enclosing values. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  /** The path of the value, relative to the enclosing value that last caught the error. */
  path = "";
}

/** Prefixes the path of a JsonError with the name of the enclosing value. Any other error is returned unchanged. */
export function prefixPath(error: unknown, holder: string): unknown {
  if (error instanceof JsonError) error.path = joinPath(holder, error.path);
  return error;
}

export function expectedError(what: string, json: unknown): JsonError {
  return new JsonError(`expected ${what}, got ${describe(json)}`);
}

export function tooDeepError(maxDepth: number): JsonError {
  return new JsonError(`is nested deeper than ${maxDepth} levels`);
}

/** Returns the error that the caller sees. An empty path stands for the whole body. */
export function requestError(path: string, cause: string): RpcError {
  return path === "" ? kernelErrors.malformed(cause) : invalid(shortenPath(path), cause);
}

export function joinPath(holder: string, rest: string): string {
  if (holder === "" || rest === "" || rest.startsWith("[")) return holder + rest;
  return `${holder}.${rest}`;
}

/** Formats a map key or an unknown field name as a segment of a path, in brackets if it is not a plain name. */
export function keySegment(key: string): string {
  return /^\w{1,60}$/.test(key) ? key : `[${describe(key)}]`;
}

/** Describes a value in one short line. */
function describe(json: unknown): string {
  if (typeof json === "string") return JSON.stringify(shorten(json));
  if (Array.isArray(json)) return "an array";
  if (isRawNumber(json)) return shorten(json.rawJSON);
  if (isObject(json)) return "an object";
  return shorten(String(json));
}

function shorten(text: string): string {
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}...` : text;
}

function shortenPath(path: string): string {
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH / 2)}...${path.slice(-MAX_PATH / 2)}` : path;
}
