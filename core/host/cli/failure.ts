import { RpcError } from "../../base/errors.ts";
import { StartupError } from "../../base/startup_error.ts";
import { ApiError } from "../../client/api_error.ts";
import { exitCodeOf, isUsageError } from "../api_cli/exit_codes.ts";

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIGURATION = 78;

/** Prints an error of a command, and returns the exit code. Only an unexpected error is printed with its stack. */
export function reportFailure(error: unknown): number {
  const isExpected = isUsageError(error) || [StartupError, RpcError, ApiError].some((known) => error instanceof known);
  console.error(isExpected ? `edgehelm: ${messageOf(error as Error)}` : error);
  return error instanceof StartupError ? EXIT_CONFIGURATION : exitCodeOf(error);
}

function messageOf(error: Error): string {
  if (!(error instanceof ApiError) || error.reason === "") return error.message;
  return `${error.message} (${error.reason})`;
}
