import { writeSync } from "node:fs";

const FLUSH_BYTES = 65_536;
const FLUSH_MILLISECONDS = 100;

/** Gathers log lines and writes them in few, whole pieces: a system call for each line would cost more than the line. */
export class LogOutput {
  readonly #descriptor: number;
  #pending = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(descriptor = 1) {
    this.#descriptor = descriptor;
  }

  readonly write = (line: string): void => {
    this.#pending += line;
    if (this.#pending.length >= FLUSH_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MILLISECONDS);
  };

  /** Writes what is pending now, so that nothing is lost at exit. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const bytes = new TextEncoder().encode(this.#pending);
    this.#pending = "";
    for (let written = 0; written < bytes.length;) {
      try {
        written += writeSync(this.#descriptor, bytes, written);
      } catch (error) {
        // A full pipe says so; its reader is slow, and lines are worth waiting for. A closed one takes no more.
        if ((error as { code?: string }).code !== "EAGAIN") return;
      }
    }
  }
}
