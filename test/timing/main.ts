import process from "node:process";
import { compare, type Comparison, isTellingApart, MAX_T } from "./comparison.ts";
import { durationOf, openGuessing, spin } from "./exchange.ts";

// Whether the duration of an exchange tells a known access key from an unknown one: 100,000 samples of each, and the
// same with a planted difference, which must be found.
const SAMPLES = Number(process.argv[2] ?? 100_000);
const PLANTED_MICROSECONDS = 20;

await using guessing = await openGuessing();
const plain = await compare(SAMPLES, (action) => durationOf(() => guessing.guess(action)));
print("known id, unknown id", plain);
const planted = await compare(SAMPLES, (action) =>
  durationOf(async () => {
    if (action === 1) spin(PLANTED_MICROSECONDS);
    await guessing.guess(action);
  }));
print(`the same with ${PLANTED_MICROSECONDS} us planted`, planted);

if (isTellingApart(plain)) console.log(`the exchange tells known ids from unknown ones: |t| is ${MAX_T} or more`);
if (!isTellingApart(planted)) console.log(`the planted difference was not found: |t| is below ${MAX_T}`);
process.exit(!isTellingApart(plain) && isTellingApart(planted) ? 0 : 1);

function print(name: string, { counts, means, t, tOfInliers }: Comparison): void {
  const [first, second] = means.map((mean) => mean.toFixed(2));
  console.log(`${name}: ${counts.join(" and ")} samples, means ${first} and ${second} us,`);
  console.log(`  t ${t.toFixed(2)}, without the slowest tenth ${tOfInliers.toFixed(2)}`);
}
