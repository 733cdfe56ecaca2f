/** Stops the start of the server. Each of `errors` is a line for the operator with the location, the cause and the fix. */
export class StartupError extends Error {
  override readonly name = "StartupError";
  readonly errors: readonly string[];

  constructor(errors: string | readonly string[], options?: ErrorOptions) {
    const list = typeof errors === "string" ? [errors] : errors;
    super(
      list.length === 1 ? list[0] : `${list.length} errors:\n${list.map((error) => `- ${error}`).join("\n")}`,
      options,
    );
    this.errors = list;
  }
}
