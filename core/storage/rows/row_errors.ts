import { defineErrors, type ErrorDefinition, type ErrorFactories } from "../../base/errors.ts";

/** The errors of every table whose rows other plugins refer to. */
interface CommonErrors {
  readonly not_found: readonly ["not_found", (id: bigint) => string];
  readonly in_use: readonly ["conflict", (id: bigint, references: string) => string];
}

/**
 * Declares the errors of a table: `not_found`, `in_use`, and more of its own.
 *
 * @param owner the name of the plugin
 * @param noun the name of a row in texts, such as `price item`
 *
 * @example
 * ```ts
 * import { rowErrors } from "edgehelm/rows";
 *
 * export const errors = rowErrors("plan", "plan", {
 *   name_taken: ["conflict", (name: string) => `plan "${name}" already exists`],
 * });
 * throw errors.not_found(7n);
 * ```
 */
export function rowErrors<const More extends Record<string, ErrorDefinition> = Record<never, never>>(
  owner: string,
  noun: string,
  more?: More,
): ErrorFactories<CommonErrors & More> {
  const common: CommonErrors = {
    not_found: ["not_found", (id) => `${noun} ${id} does not exist`],
    in_use: ["conflict", (id, references) => `${noun} ${id} is used by ${references}`],
  };
  return defineErrors(owner, { ...common, ...more } as CommonErrors & More & Record<string, ErrorDefinition>);
}
