/** Stops the start. Each problem is one line for the operator: what is wrong, where, and what to do about it. */
export class StartupError extends Error {
  override readonly name = "StartupError";
  readonly problems: readonly string[];

  constructor(problems: string | readonly string[], options?: ErrorOptions) {
    const list = typeof problems === "string" ? [problems] : problems;
    super(
      list.length === 1 ? list[0] : `${list.length} problems:\n${list.map((one) => `- ${one}`).join("\n")}`,
      options,
    );
    this.problems = list;
  }
}
