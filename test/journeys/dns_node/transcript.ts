import { writeFile } from "node:fs/promises";
import process from "node:process";

const MAX_LINES = 16;
const MAX_LINE = 160;

/** Keeps what was done on the way of a journey, and what came back, shortened. Secrets never get into it. */
export class Transcript {
  readonly #lines: string[] = [];
  readonly #began = performance.now();

  /** Begins a part of the journey. */
  part(title: string): void {
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(1);
    this.#lines.push("", `## ${title} (after ${seconds} s)`, "");
  }

  /** Notes a command and what it printed. */
  note(command: string, output: unknown): void {
    const text = typeof output === "string" ? output : JSON.stringify(output);
    const lines = text.trim().split("\n").filter((line) => line !== "");
    this.#lines.push(`$ ${command}`, ...lines.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE)));
    if (lines.length > MAX_LINES) this.#lines.push(`… ${lines.length - MAX_LINES} more lines`);
  }

  get text(): string {
    return `# The journey of a DNS platform\n${this.#lines.join("\n")}\n`;
  }

  /** Writes it to the file that the environment names, if it does. */
  async save(): Promise<void> {
    const path = process.env["DNS_JOURNEY_TRANSCRIPT"];
    if (path) await writeFile(path, this.text);
  }
}
