import process from "node:process";
import { compareMonths } from "./bills/months.ts";
import { killRepeatedly } from "./kills/campaign.ts";

// Proves properties in random worlds: `deno task property bills [--months N] [--seed N]` compares bills with a plain
// model, in months of users; `deno task property kills [--kills N] [--seed N]` kills a server while money moves. Exits
// with 1 if anything is wrong.
const [subject] = process.argv.slice(2);
const seed = option("seed", 1);
const wrong = await run();
for (const one of wrong.slice(0, 20)) console.log(one);
process.exit(wrong.length === 0 ? 0 : 1);

/** Prints the figures, and returns what is wrong. */
async function run(): Promise<readonly string[]> {
  switch (subject) {
    case "bills": {
      const months = option("months", 1000);
      const result = await compareMonths(months, seed, (done) => console.error(`${done} of ${months} months`));
      console.log(JSON.stringify({ seed, ...result, differences: result.differences.length }));
      return result.differences;
    }
    case "kills": {
      const result = await killRepeatedly(option("kills", 50), seed, (text) => console.error(text));
      console.log(JSON.stringify({ seed, ...result, broken: result.broken.length }));
      return result.broken;
    }
    default:
      console.error(
        "usage: deno task property bills [--months N] [--seed N], or deno task property kills [--kills N] [--seed N]",
      );
      return process.exit(2);
  }
}

function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`);
  if (at < 0) return fallback;
  const value = Number(process.argv[at + 1]);
  if (Number.isSafeInteger(value) && value > 0) return value;
  console.error(`--${name} must be a positive integer, got "${process.argv[at + 1]}"`);
  process.exit(2);
}
