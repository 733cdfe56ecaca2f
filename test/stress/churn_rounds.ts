import { readFileSync } from "node:fs";
import process from "node:process";
import { startEchoServer } from "../host/grpc/echo_server.ts";
import { churn, LEAVINGS } from "./churn.ts";

// Many short connections: `deno run -A test/stress/churn_rounds.ts [rounds] [connections]`. Prints the memory of the
// server after each round.
const [rounds = 10, connections = 6000] = process.argv.slice(2).map(Number);
const echo = await startEchoServer();

function residentMegabytes(): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${echo.server.pid}/status`, "utf8"))?.[1]) / 1024);
}

for (let round = 1; round <= rounds; round++) {
  for (const leaving of LEAVINGS) {
    const completed = await churn(echo.address, echo.token, connections, leaving);
    console.log(`${round} ${leaving.padEnd(10)} ${completed} of ${connections} completed, ${residentMegabytes()} MB`);
  }
}
await echo.stop();
process.exit(0);
