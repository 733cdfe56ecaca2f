/** An error in a zone file, thrown where its line is not known. */
export class ZoneError extends Error {
  override readonly name = "ZoneError";
}

/** An error in a line of a zone file. */
export interface LineError {
  readonly line: number;
  readonly message: string;
}

/** Returns the beginning of a text in quotes, for error messages. */
export function excerpt(text: string): string {
  return `"${text.slice(0, 60)}"`;
}
