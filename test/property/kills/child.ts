import process from "node:process";
import { createInterface } from "node:readline";
import { type TestCaller, TestClock, testKernel } from "edgehelm/testing";
import { Webhook } from "standardwebhooks";
import { createLogger } from "../../../core/base/log.ts";
import { firstParty } from "../../matrix/plugins.ts";
import { CONFIG } from "./settings.ts";
import type { Command, Output } from "./protocol.ts";

// A server on a database file, with a clock that the campaign advances. It reads a command from each line, runs
// commands at the same time, and prints each result, until it is killed.
const [directory = "", now = "0"] = process.argv.slice(2);
const clock = new TestClock(Number(now));
const log = createLogger({ level: "error", clock, write: (line) => print({ kind: "log", line }) });
const edgehelm = await testKernel({ plugins: firstParty, directory, clock, config: CONFIG, log });
print({ kind: "ready" });
for await (const line of createInterface({ input: process.stdin })) void respond(JSON.parse(line));

async function respond({ number, act }: Command): Promise<void> {
  try {
    print({ kind: "response", number, value: await run(act) });
  } catch (error) {
    print({ kind: "response", number, error: String(error) });
  }
}

async function run(act: Command["act"]): Promise<unknown> {
  switch (act.kind) {
    case "call": {
      const caller = { role: act.role, id: BigInt(act.id) } as TestCaller;
      const { code, message, data } = await edgehelm.post(`/${act.path}`, act.body, caller);
      if (code !== 200) throw new Error(`${act.path}: ${code} ${message}`);
      return data;
    }
    case "notice":
      return await (await edgehelm.fetch(signed(act.id, act.secret, act.body))).json();
    case "job":
      return await edgehelm.kernel.runJob(act.name);
    case "advance":
      // before anything is stored at that time, so that the next server does not begin earlier
      print({ kind: "time", now: clock.now() + act.seconds * 1000 });
      return clock.advance(act.seconds);
  }
}

function signed(id: string, secret: string, body: string): Request {
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(clock.now() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, new Date(clock.now()), body),
  };
  return new Request("http://edgehelm.test/payments/notices?method=card", { method: "POST", headers, body });
}

function print(output: Output): void {
  console.log(JSON.stringify(output));
}
