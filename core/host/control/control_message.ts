import { join } from "node:path";

/** A command for a running server. */
export interface ControlRequest {
  readonly args: readonly string[];
  /** The names of the commands that the client runs itself, which a misspelt name may mean. */
  readonly others?: readonly string[];
}

/** The outcome of a command: the lines to print, or the text of the error. */
export type ControlResponse = { readonly lines: readonly string[] } | { readonly error: string };

/** Returns the path of the socket on which the server of a data directory receives commands. */
export function controlPath(dataDirectory: string): string {
  return join(dataDirectory, "control.sock");
}
