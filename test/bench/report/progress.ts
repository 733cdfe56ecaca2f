import type { Figure } from "./figure.ts";
import { formatNumber } from "./statistics.ts";

/** Lines on standard error that show how far a bench is. */
export class Progress {
  readonly #started = performance.now();

  note(text: string): void {
    const seconds = Math.floor((performance.now() - this.#started) / 1000);
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    console.error(`${clock.padStart(5)}  ${text.replaceAll("\n", "\n       ")}`);
  }

  values(prefix: string, figures: readonly Figure[], values: readonly number[]): void {
    const all = figures.map(({ name, unit }, index) => `${name} ${formatNumber(values[index]!)} ${unit}`);
    this.note(`${prefix}: ${all.join(", ")}`);
  }
}
