import process from "node:process";
import { fuzzHttp } from "./http.ts";
import { startTarget } from "./target.ts";

// Sends malformed requests: `deno run -A test/fuzz/main.ts [--seed=N] [--from=N] [--count=N]`. Seed and number
// reproduce a request.
const target = await startTarget();
const started = performance.now();
const result = await fuzzHttp({
  ...target,
  seed: option("seed", 1),
  from: option("from", 0),
  count: option("count", 100_000),
});
const { responses, internalErrors, unreachable } = result;
for (const [key, count] of Object.entries(responses).sort()) console.log(`${key.padEnd(32)} ${count}`);
for (const { number, request, response } of internalErrors.slice(0, 20)) {
  console.log(`--- number ${number}\n${request}\n--- response\n${response}`);
}
for (const line of target.loggedErrors().slice(0, 20)) console.log(`logged: ${line.slice(0, 2000)}`);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(
  `${internalErrors.length} internal errors, ${target.loggedErrors().length} logged errors, ` +
    `${unreachable} unreachable, ` +
    `the server is ${target.isAlive() ? "alive" : "dead"} after ${seconds} s`,
);
if (target.isAlive()) await target.stop();
process.exit(internalErrors.length + target.loggedErrors().length + unreachable > 0 ? 1 : 0);

function option(flag: string, fallback: number): number {
  const text = process.argv.find((argument) => argument.startsWith(`--${flag}=`))?.split("=")[1];
  return text === undefined ? fallback : Number(text);
}
