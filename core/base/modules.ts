/** The module that every admin has. Plugins cannot declare it. */
export const COMMON_MODULE = "common";

/** A module: a group of operations that an admin may be given. */
export interface Module {
  /** The code in snake_case, which the modules of an admin contain. */
  readonly code: string;
  /** The name for people. */
  readonly name: string;
}
