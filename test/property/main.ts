import process from "node:process";
import { compareMonths } from "./bills/months.ts";

// Compares the product with plain models in random worlds: `deno task property bills [--months N] [--seed N]`, in months
// of users. Exits with 1 if anything differs.
const [subject] = process.argv.slice(2);
if (subject !== "bills") {
  console.error("usage: deno task property bills [--months N] [--seed N]");
  process.exit(2);
}
const months = option("months", 1000);
const seed = option("seed", 1);
const report = (done: number) => console.error(`${done} of ${months} months`);
const result = await compareMonths(months, seed, report);
console.log(JSON.stringify({ seed, ...result, differences: result.differences.length }));
for (const difference of result.differences.slice(0, 20)) console.log(difference);
process.exit(result.differences.length === 0 ? 0 : 1);

function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`);
  if (at < 0) return fallback;
  const value = Number(process.argv[at + 1]);
  if (Number.isSafeInteger(value) && value > 0) return value;
  console.error(`--${name} must be a positive integer, got "${process.argv[at + 1]}"`);
  process.exit(2);
}
