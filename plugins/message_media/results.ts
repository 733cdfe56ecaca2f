import type { SendResult } from "./contract.ts";

const MAX_TEXT = 1000;

/** Returns the result of a message that was delivered. */
export function delivered(response: string): SendResult {
  return { isOk: true, error: "", response: shortened(response), isRetryable: false, retryAfterSeconds: 0 };
}

/** Returns the result of a message that the provider refused for good. */
export function refused(error: string, response = ""): SendResult {
  return {
    isOk: false,
    error: shortened(error),
    response: shortened(response),
    isRetryable: false,
    retryAfterSeconds: 0,
  };
}

/** Returns the result of a message that may be delivered later. */
export function delayed(error: string, response = "", retryAfterSeconds = 0): SendResult {
  return { ...refused(error, response), isRetryable: true, retryAfterSeconds };
}

/** Cuts a text between characters. NUL, which the database does not store, becomes a space. */
export function shortened(text: string, max = MAX_TEXT): string {
  const clean = text.replaceAll("\0", " ").trim().toWellFormed();
  return clean.length <= max ? clean : `${clean.slice(0, max - 1).toWellFormed()}…`;
}
