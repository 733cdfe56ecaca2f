import type { Resealing } from "../auth/resealing/resealing.ts";
import type { SigningKeys } from "../auth/signing_keys.ts";
import type { Call } from "../base/call.ts";
import type { OwnedJob } from "../jobs/jobs.ts";

/** Rows that expire. */
export interface Pruned {
  /** Deletes a batch of expired rows. Returns true if there may be more. */
  prune(call: Call): Promise<boolean>;
}

/** Returns the kernel's own jobs. */
export function kernelJobs(
  keys: SigningKeys<Call>,
  resealing: Resealing,
  expiring: readonly Pruned[],
): OwnedJob[] {
  return [
    { owner: "kernel", name: "reseal", everySeconds: 60, run: (call) => resealing.run(call) },
    {
      owner: "kernel",
      name: "rotate_keys",
      everySeconds: 3600,
      async run(call) {
        await call.transact((inner) => keys.rotateIfDue(inner));
        await keys.load(call);
      },
    },
    {
      owner: "kernel",
      name: "prune",
      everySeconds: 3600,
      async run(call) {
        for (const pruned of expiring) {
          while (!call.signal.aborted && await call.transact((inner) => pruned.prune(inner)));
        }
      },
    },
  ];
}
