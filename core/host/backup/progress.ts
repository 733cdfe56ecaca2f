import process from "node:process";
import { sizeText } from "../settings/files.ts";

const WIDTH = 30;

/** Shows a bar on stderr while bytes are copied, and nothing if that is no terminal. */
export class Progress {
  readonly #task: string;
  readonly #isTerminal = process.stderr.isTTY === true;
  #shown = "";

  constructor(task: string) {
    this.#task = task;
  }

  readonly show = (bytes: number, total: number): void => {
    if (!this.#isTerminal) return;
    const share = total === 0 ? 1 : Math.min(1, bytes / total);
    const filled = Math.floor(share * WIDTH);
    const bar = `${"#".repeat(filled)}${" ".repeat(WIDTH - filled)}`;
    const text = `${this.#task} [${bar}] ${Math.floor(share * 100)} % of ${sizeText(total)}`;
    if (text === this.#shown) return;
    this.#shown = text;
    process.stderr.write(`\r${text}`);
  };

  end(): void {
    if (this.#shown !== "") process.stderr.write("\n");
  }
}
