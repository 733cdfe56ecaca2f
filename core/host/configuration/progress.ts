import process from "node:process";

const STEP = 1000;
const WIDTH = 30;

/** Shows on stderr how many objects are done: as a bar on a terminal, otherwise as a line for each 1000. */
export class CountProgress {
  readonly #task: string;
  readonly #isTerminal = process.stderr.isTTY === true;
  #shown = 0;

  constructor(task: string) {
    this.#task = task;
  }

  readonly show = (done: number, total: number): void => {
    if (this.#isTerminal) {
      const filled = total === 0 ? 0 : Math.min(WIDTH, Math.floor((done / total) * WIDTH));
      process.stderr.write(`\r${this.#task} [${"#".repeat(filled)}${" ".repeat(WIDTH - filled)}] ${done}/${total}`);
    } else if (done >= this.#shown + STEP) console.error(`${this.#task}: ${done} of ${total}`);
    else return;
    this.#shown = done;
  };

  end(): void {
    if (this.#isTerminal && this.#shown > 0) process.stderr.write("\n");
  }
}
