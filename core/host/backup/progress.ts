import process from "node:process";
import { sizeText } from "../settings/files.ts";

const STEP_PERCENT = 25;

/** Shows how far something is: on a terminal in one line that changes, elsewhere in a few lines. */
export class Progress {
  readonly #what: string;
  readonly #isTerminal = process.stderr.isTTY === true;
  #shownPercent = 0;

  constructor(what: string) {
    this.#what = what;
  }

  readonly show = (bytes: number, total: number): void => {
    const percent = Math.floor((bytes / total) * 100);
    const text = `${this.#what}: ${percent} % (${sizeText(bytes)} of ${sizeText(total)})`;
    if (this.#isTerminal) process.stderr.write(`\r${text}   `);
    else if (percent >= this.#shownPercent + STEP_PERCENT) console.error(text);
    else return;
    this.#shownPercent = percent;
  };

  end(): void {
    if (this.#isTerminal && this.#shownPercent > 0) process.stderr.write("\n");
  }
}
