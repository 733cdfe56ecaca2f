/** What is wrong with a line of a zone file; whoever knows the line catches it. */
export class ZoneError extends Error {
  override readonly name = "ZoneError";
}

/** A fault of a line. */
export interface Problem {
  readonly line: number;
  readonly message: string;
}

/** As much of what a file says as a message should repeat. */
export function shown(text: string): string {
  return `"${text.slice(0, 60)}"`;
}
