import { errorMessage } from "../settings/files.ts";

/** Tells whether the last write to the database failed, for example because the disk is full, and reports a change once. */
export class WriteOutage {
  readonly #report: (text: string) => void;
  #reason: string | undefined;

  constructor(report: (text: string) => void) {
    this.#report = report;
  }

  /** The reason why the last write failed; undefined if it did not. */
  get reason(): string | undefined {
    return this.#reason;
  }

  began(error: unknown): void {
    if (this.#reason === undefined) {
      this.#report(`writes fail, reads go on: ${errorMessage(error)}`);
    }
    this.#reason = `the last write failed: ${errorMessage(error)}`;
  }

  ended(): void {
    if (this.#reason !== undefined) this.#report("writes work again");
    this.#reason = undefined;
  }
}
