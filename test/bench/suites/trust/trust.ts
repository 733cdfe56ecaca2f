import { Checkout } from "../../compare/checkout.ts";
import { createDomains } from "../../installation/domains.ts";
import { Installation } from "../../installation/installation.ts";
import type { HttpCall } from "../../load/http_call.ts";
import { type HttpLoad, measureHttp } from "../../measurement/http.ts";
import { mean } from "../../report/statistics.ts";
import type { Measurement, Suite } from "../../suite.ts";
import { HttpCalls } from "../http/calls.ts";

/** The last commit whose audit log has neither rows nor a chain. */
const BEFORE = "babd6df8";
const CONNECTIONS = 32;
const DOMAINS = 10_000;

/** One of the two installations, with its calls. */
class Side {
  readonly installation: Installation;
  readonly calls: HttpCalls;

  constructor(root: string) {
    this.installation = new Installation(root);
    this.calls = new HttpCalls(this.installation);
  }

  async begin(): Promise<void> {
    await this.installation.startFilled(async () => {
      this.calls.domains = await createDomains(this.installation, DOMAINS);
    });
  }

  async measure(call: (calls: HttpCalls) => HttpCall, load: HttpLoad) {
    return await measureHttp(this.installation.server, call(this.calls), load);
  }
}

/** Measures what the record of each change costs: create and find, beside the commit before there were records. */
export const trust: Suite = {
  open({ root, seconds, progress }) {
    progress.note(`preparing ${BEFORE}`);
    const stack = new AsyncDisposableStack();
    const checkout = stack.use(new Checkout(root, BEFORE));
    const [before, after] = [new Side(checkout.root), new Side(root)];
    for (const { installation } of [before, after]) stack.use(installation);
    const load = { connections: CONNECTIONS, seconds };
    return Promise.resolve({
      measurements: [
        beside("find", before, after, (calls) => calls.find(), load),
        beside("create", before, after, (calls) => calls.create(), load),
      ],
      async begin() {
        await before.begin();
        await after.begin();
      },
      async end() {
        await Promise.all([before.installation.stop(), after.installation.stop()]);
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    });
  },
};

/** Measures both sides in the order ABBA. */
function beside(
  name: "find" | "create",
  before: Side,
  after: Side,
  call: (calls: HttpCalls) => HttpCall,
  load: HttpLoad,
): Measurement {
  const measure = async () => {
    const first = await before.measure(call, load);
    const second = [await after.measure(call, load), await after.measure(call, load)];
    const both = { before: [first, await before.measure(call, load)], after: second };
    const average = (side: "before" | "after", figure: "cpu" | "rate") => mean(both[side].map((one) => one[figure]));
    const ratio = average("after", "rate") / average("before", "rate");
    const processorTime = average("before", "cpu") / average("after", "cpu");
    const added = average("after", "cpu") - average("before", "cpu");
    return name === "find" ? [ratio, processorTime] : [ratio, processorTime, added];
  };
  return {
    figures: [
      { name: `${name}_vs_before`, unit: "times" },
      { name: `${name}_cpu_vs_before`, unit: "times" },
      ...name === "create" ? [{ name: "audit_us_per_write", unit: "us" } as const] : [],
    ],
    measure,
  };
}
