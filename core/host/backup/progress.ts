import process from "node:process";
import { sizeText } from "../settings/files.ts";

const STEP_PERCENT = 25;

/** Shows progress on stderr: as one updating line on a terminal, otherwise as a line for each step of 25 percent. */
export class Progress {
  readonly #task: string;
  readonly #isTerminal = process.stderr.isTTY === true;
  #shownPercent = 0;

  constructor(task: string) {
    this.#task = task;
  }

  readonly show = (bytes: number, total: number): void => {
    const percent = Math.floor((bytes / total) * 100);
    const text = `${this.#task}: ${percent} % (${sizeText(bytes)} of ${sizeText(total)})`;
    if (this.#isTerminal) process.stderr.write(`\r${text}   `);
    else if (percent >= this.#shownPercent + STEP_PERCENT) console.error(text);
    else return;
    this.#shownPercent = percent;
  };

  end(): void {
    if (this.#isTerminal && this.#shownPercent > 0) process.stderr.write("\n");
  }
}
