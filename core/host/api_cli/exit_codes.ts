import { ApiError } from "../../client/api_error.ts";

/** The exit codes of commands that call an installation. */
export const EXIT = {
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  conflict: 5,
  forbidden: 6,
  unavailable: 7,
  /** The installation differs from the files of a configuration. */
  differs: 8,
} as const;

/** An error of the person at the terminal, such as an unknown flag. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** True for a {@link UsageError}, of which packages have one in the bundled program and one in the modules beside it. */
export function isUsageError(error: unknown): error is UsageError {
  return error instanceof Error && error.name === "UsageError";
}

/** Returns the exit code for an error, so that scripts can tell apart what failed. */
export function exitCodeOf(error: unknown): number {
  if (isUsageError(error)) return EXIT.usage;
  if (!(error instanceof ApiError)) return EXIT.failed;
  if (error.isTemporary) return EXIT.unavailable;
  if (error.code === 401 || error.code === 403) return EXIT.forbidden;
  if (error.code === 404) return EXIT.notFound;
  return error.code === 409 ? EXIT.conflict : EXIT.refused;
}
