/** Variables that the probe reads before and after the import, because Deno writes that down among the uses of permissions. */
export const IMPORT_BEGINS = "EDGEHELM_IMPORT_BEGINS";
export const IMPORT_ENDS = "EDGEHELM_IMPORT_ENDS";

/** The kinds of effects that an import should leave to `setup`. */
export type Deed =
  | "timer"
  | "file"
  | "socket"
  | "program"
  | "listener"
  | "environment"
  | "output"
  | "global"
  | "other";

export interface Effect {
  /** The file and line, relative to the folder of the plugin. */
  readonly at: string;
  readonly deed: Deed;
  /** The verb and its object, such as `starts a timer with setInterval`. */
  readonly text: string;
}

export interface ProbeResult {
  /** The message of what the import threw. */
  readonly error?: string;
  readonly effects: readonly Effect[];
}
