import type { Clock } from "./clock.ts";

const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LEVELS)[number];

/** The fields of a log line; `undefined` ones are left out. */
export type LogFields = Readonly<Record<string, string | number | bigint | boolean | null | undefined>>;

/**
 * Writes structured log lines. Secrets must not be logged.
 *
 * @example
 * ```ts
 * call.log.warn("zone transfer failed", { nsDomainId, error: String(error) });
 * ```
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns a logger that adds `fields` to every line. */
  with(fields: LogFields): Logger;
  /** Returns true if lines of this level are written. */
  enabled(level: LogLevel): boolean;
}

export function isLogLevel(text: string): text is LogLevel {
  return (LEVELS as readonly string[]).includes(text);
}

export const LOG_LEVELS: readonly LogLevel[] = LEVELS;

class JsonLogger implements Logger {
  readonly #level: number;
  readonly #write: (line: string) => void;
  readonly #clock: Clock;
  readonly #fields: string;

  constructor(level: number, write: (line: string) => void, clock: Clock, fields: string) {
    this.#level = level;
    this.#write = write;
    this.#clock = clock;
    this.#fields = fields;
  }

  enabled(level: LogLevel): boolean {
    return LEVELS.indexOf(level) >= this.#level;
  }

  #line(level: LogLevel, message: string, fields: LogFields | undefined): void {
    if (!this.enabled(level)) return;
    const time = timestamp(this.#clock.now());
    const own = fields === undefined ? "" : members(fields);
    this.#write(`{"time":"${time}","level":"${level}","message":${JSON.stringify(message)}${this.#fields}${own}}\n`);
  }

  debug(message: string, fields?: LogFields): void {
    this.#line("debug", message, fields);
  }
  info(message: string, fields?: LogFields): void {
    this.#line("info", message, fields);
  }
  warn(message: string, fields?: LogFields): void {
    this.#line("warn", message, fields);
  }
  error(message: string, fields?: LogFields): void {
    this.#line("error", message, fields);
  }

  with(fields: LogFields): Logger {
    return new JsonLogger(this.#level, this.#write, this.#clock, this.#fields + members(fields));
  }
}

let lastTime = NaN;
let lastTimestamp = "";

/** Cached, because formatting a date is expensive and many lines share a millisecond. */
function timestamp(now: number): string {
  if (now !== lastTime) {
    lastTime = now;
    lastTimestamp = new Date(now).toISOString();
  }
  return lastTimestamp;
}

/** Formats fields. Their names come from our own code and need no escaping. */
function members(fields: LogFields): string {
  let text = "";
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    text += `,"${name}":${
      typeof value === "string" ? quoted(value) : typeof value === "bigint" ? value : JSON.stringify(value)
    }`;
  }
  return text;
}

/**
 * Returns the stack of a thrown value and of its causes, for the log.
 *
 * @example
 * ```ts
 * import { errorText } from "edgehelm/runtime";
 *
 * call.log.warn("zone transfer failed", { error: errorText(error) });
 * ```
 */
export function errorText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const text = thrown.stack ?? thrown.message;
  return thrown.cause === undefined ? text : `${text}\ncaused by: ${errorText(thrown.cause)}`;
}

/** Matches text that needs no escaping, such as names and paths, which make up most of a log. */
const PLAIN = /^[\w ./:-]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Creates a logger that writes JSON. `write` receives complete lines, each with its line feed. */
export function createLogger(options: { level: LogLevel; write: (line: string) => void; clock: Clock }): Logger {
  return new JsonLogger(LEVELS.indexOf(options.level), options.write, options.clock, "");
}
