import { setTimeout as wait } from "node:timers/promises";
import type { Knot } from "../../servers/knot.ts";
import { NOT_SERVED, textOf } from "./model.ts";

const PAUSE_MILLISECONDS = 100;
/** Only what never comes ends by this. */
const MAX_ATTEMPTS = 1200;

/**
 * Returns the text of a zone as Knot has it, in one piece: `zone-read` reads one version. Undefined while Knot does not
 * run.
 */
export async function served(knot: Knot, name: string): Promise<string | undefined> {
  const output = await knot.tryKnotc("zone-read", name);
  if (output === undefined || output.includes("failed to connect")) return undefined;
  const records = output.matchAll(/^\[\S+\] ([a-z])\.z\d+\.test\. \d+ A (\S+)$/gm);
  const isServed = /\sSOA\s/.test(output);
  return isServed ? textOf(Array.from(records, ([, label, value]) => ({ name: label!, value: value! }))) : NOT_SERVED;
}

/** Waits until Knot has a text of a zone, and returns the last one that it had. */
export async function untilEqual(knot: Knot, name: string, text: string): Promise<string | undefined> {
  for (let attempt = 1;; attempt++) {
    const found = await served(knot, name);
    if (found === text || attempt === MAX_ATTEMPTS) return found;
    await wait(PAUSE_MILLISECONDS);
  }
}
