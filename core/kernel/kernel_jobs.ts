import type { Resealing } from "../auth/resealing/resealing.ts";
import type { SigningKeys } from "../auth/signing_keys.ts";
import type { Call } from "../base/call.ts";
import { type AuditVerification, headText } from "../calls/audit/verification.ts";
import type { AuditCheck } from "../calls/audit/audit_check.ts";
import type { Deliveries } from "../events/deliveries.ts";
import type { Logger } from "../base/log.ts";
import type { OwnedJob } from "../jobs/jobs.ts";

/** Rows that expire. */
export interface Pruned {
  /** Deletes a batch of expired rows. Returns true if there may be more. */
  prune(call: Call): Promise<boolean>;
}

/** Returns the job that notes the head of the audit log, in the database and in the log. */
export function auditHeadJob(verification: AuditVerification, log: Logger): OwnedJob {
  return {
    owner: "kernel",
    name: "note_audit_head",
    everySeconds: 60,
    async run(call) {
      log.info("audit head", { head: headText(await verification.note(call)) });
    },
  };
}

/** Returns the job that verifies the chain of the audit log. */
export function auditCheckJob(check: AuditCheck): OwnedJob {
  return { owner: "kernel", name: "verify_audit", everySeconds: 86_400, run: (call) => check.run(call) };
}

/** Returns the job that delivers the events which no instance delivered when they were emitted. */
export function deliveryJob(deliveries: Deliveries): OwnedJob {
  return { owner: "kernel", name: "deliver_events", everySeconds: 5, run: (call) => deliveries.run(call) };
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
