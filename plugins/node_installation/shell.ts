const SAFE = /^[^\0\r\n]*$/;

/** Quotes a text as one word for a POSIX shell. */
export function quoted(text: string): string {
  if (!SAFE.test(text)) throw new RangeError("an argument of a command must be one line");
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns the line that runs a script with arguments, which the script reads as `$1`, `$2` and so on. The script is
 * always one of this plugin: no text of anybody else becomes part of one.
 */
export function commandLine(script: string, args: readonly string[]): string {
  const words = [`'${script.replaceAll("'", `'\\''`)}'`, "edgehelm", ...args.map(quoted)];
  return `sh -c ${words.join(" ")}`;
}
