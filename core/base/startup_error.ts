/** Stops the start of the server. Each of `errors` is one line for the operator: what is wrong, where, and how to fix it. */
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
