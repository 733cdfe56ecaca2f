import { existsSync, readFileSync } from "node:fs";

/** The commands that a machine ran, as its shell notes them. */
export class CommandLog {
  readonly #file: string;
  #read = 0;
  /** The commands that have not ended, by their process. */
  readonly #open = new Map<string, { readonly program: string; readonly release: string }>();
  /** Commands of two installations of one program that ran at the same time. */
  readonly overlaps: string[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the number of commands that run now. */
  running(): number {
    const text = existsSync(this.#file) ? readFileSync(this.#file, "utf8") : "";
    const end = text.lastIndexOf("\n") + 1;
    for (const line of text.slice(this.#read, end).split("\n").slice(0, -1)) this.#note(line);
    this.#read = end;
    return this.#open.size;
  }

  #note(line: string): void {
    const [what, pid = "", program = "-", release = "-"] = line.split(" ");
    if (what === "end") return void this.#open.delete(pid);
    for (const other of this.#open.values()) {
      const isOfOther = other.program === program && other.release !== release;
      if (isOfOther && other.release !== "-" && release !== "-") {
        this.overlaps.push(`installations ${other.release} and ${release} of ${program} ran at the same time`);
      }
    }
    this.#open.set(pid, { program, release });
  }
}
