import process from "node:process";
import { fuzzHttp } from "./http.ts";
import { startTarget } from "./target.ts";

// Sends many malformed requests by hand: [--seed=N] [--from=N] [--count=N]. A request that found something is made again
// by its seed and number.
const target = await startTarget();
const started = performance.now();
const result = await fuzzHttp({
  ...target,
  seed: option("seed", 1),
  from: option("from", 0),
  count: option("count", 100_000),
});
const { answers, internal, unreachable } = result;
for (const [key, count] of Object.entries(answers).sort()) console.log(`${key.padEnd(32)} ${count}`);
for (const { number, request, answer } of internal.slice(0, 20)) {
  console.log(`--- number ${number}\n${request}\n--- answered\n${answer}`);
}
for (const fault of target.faults().slice(0, 20)) console.log(`logged: ${fault.slice(0, 2000)}`);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(
  `${internal.length} internal, ${target.faults().length} logged faults, ${unreachable} unreachable, ` +
    `the server is ${target.isAlive() ? "alive" : "dead"} after ${seconds} s`,
);
if (target.isAlive()) await target.stop();
process.exit(internal.length + target.faults().length + unreachable > 0 ? 1 : 0);

function option(flag: string, fallback: number): number {
  const text = process.argv.find((word) => word.startsWith(`--${flag}=`))?.split("=")[1];
  return text === undefined ? fallback : Number(text);
}
