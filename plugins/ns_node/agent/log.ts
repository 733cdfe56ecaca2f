import process from "node:process";

/** Writes a line of JSON to standard output for each event. */
export interface Log {
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
}

export function createLog(write: (line: string) => void = (line) => void process.stdout.write(line)): Log {
  const logAt = (level: string) => (message: string, fields: object = {}) =>
    write(
      `${
        JSON.stringify(
          {
            time: new Date().toISOString(),
            level,
            message,
            ...fields,
          },
          plain,
        )
      }\n`,
    );
  return { info: logAt("info"), warn: logAt("warn") };
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Returns the text of an error with those of its causes. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${errorText(error.cause)}` : error.message;
}
