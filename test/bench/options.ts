import { parseArgs } from "node:util";

/** The command line of the bench. */
export interface CommandLine {
  readonly suite: string | undefined;
  /** The commit that the checkout is compared to. */
  readonly compare: string | undefined;
  readonly rounds: number | undefined;
  readonly minutes: number;
  readonly seconds: number;
  readonly rows: number | undefined;
  readonly isJson: boolean;
}

export const USAGE =
  `deno task bench <suite> [--compare <commit>] [--rounds=N] [--minutes=N] [--seconds=N] [--rows=N] [--json]

  --compare  runs this checkout and another commit by turns, and says which figures differ beyond noise
  --rounds   rounds that count; 5 by default, 10 for a comparison
  --minutes  time after which no further round begins; 10 by default
  --seconds  seconds of one load; 1 by default
  --rows     rows to fill databases and stores with; each suite has its own default
  --json     prints all samples as JSON`;

export function parseCommandLine(words: readonly string[]): CommandLine {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { compare: text, rounds: text, minutes: text, seconds: text, rows: text, json: { type: "boolean" } },
  });
  const [suite, ...others] = positionals;
  if (others.length > 0) throw new Error(`unknown words on the command line: ${others.join(" ")}`);
  return {
    suite,
    compare: values.compare,
    rounds: positiveInteger("rounds", values.rounds),
    minutes: positive("minutes", values.minutes) ?? 10,
    seconds: positiveInteger("seconds", values.seconds) ?? 1,
    rows: positiveInteger("rows", values.rows),
    isJson: values.json ?? false,
  };
}

function positive(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} must be a positive number, not "${text}"`);
  return number;
}

function positiveInteger(name: string, text: string | undefined): number | undefined {
  const number = positive(name, text);
  if (number !== undefined && !Number.isInteger(number)) {
    throw new Error(`--${name} must be a positive integer, not "${text}"`);
  }
  return number;
}
