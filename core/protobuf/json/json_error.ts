import { invalid, kernelErrors, type RpcError } from "../../base/errors.ts";
import { isObject, isRawNumber } from "./value.ts";

const MAX_VALUE = 60;
const MAX_PATH = 200;

/** What is wrong with a value of the input; it learns its path while it passes up through what holds the value. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  /** Where the value is, as seen from where the fault was caught last. */
  path = "";
}

/** Puts what held the value in front of the fault's path; any other error passes unchanged. */
export function under(error: unknown, holder: string): unknown {
  if (error instanceof JsonError) error.path = joinPath(holder, error.path);
  return error;
}

export function expected(what: string, json: unknown): JsonError {
  return new JsonError(`expected ${what}, got ${show(json)}`);
}

export function tooDeep(maxDepth: number): JsonError {
  return new JsonError(`is nested deeper than ${maxDepth} levels`);
}

/** The error that the caller sees. Without a path the whole body is at fault. */
export function refusal(path: string, fault: string): RpcError {
  return path === "" ? kernelErrors.malformed(fault) : invalid(shortenPath(path), fault);
}

export function joinPath(holder: string, rest: string): string {
  if (holder === "" || rest === "" || rest.startsWith("[")) return holder + rest;
  return `${holder}.${rest}`;
}

/** A map key or an unknown field's name as a path's part: plain, or in brackets when it could be misread. */
export function keySegment(key: string): string {
  return /^\w{1,60}$/.test(key) ? key : `[${show(key)}]`;
}

/** A value as error texts show it: one short line. */
function show(json: unknown): string {
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
