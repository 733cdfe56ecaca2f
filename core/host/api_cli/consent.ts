import process from "node:process";
import { createInterface } from "node:readline/promises";

/**
 * Asks the person at the terminal.
 *
 * @param question such as `apply?`
 * @returns undefined if there is no terminal
 */
export async function askConsent(question: string): Promise<boolean | undefined> {
  if (process.stdin.isTTY !== true) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(typed.trim());
}
