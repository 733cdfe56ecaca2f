import type { DefaultFlag, Flag } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Generated, Selectable } from "kysely";

export interface Tables {
  acmeTasks: LiveTable<{
    /** 0 if the task belongs to the installation. */
    userId: bigint;
    acmeUserId: bigint;
    dnsDomain: string;
    /** A JSON array. */
    domains: string;
    autoRenew: Flag;
    authType: AuthType;
    authURL: string;
    isOn: DefaultFlag;
    createdAt: bigint;
    /** 0 before the first certificate. */
    sslCertId: Generated<bigint>;
    /** The end of the certificate; 0 before the first one. */
    timeEndAt: Generated<bigint>;
    /** The time of the next step, attempt or renewal; 0 for none. */
    dueAt: bigint;
    /** The number of orders that failed since the last certificate. */
    failures: Generated<bigint>;
    /** The number of temporary errors since the last response of the provider. */
    attempts: Generated<bigint>;
    /** The random name of the run that has claimed the task, and the end of its claim. */
    claim: Generated<string>;
    claimedUntil: Generated<bigint>;
    /** The end of the certificate that was reported as expiring. */
    warnedFor: Generated<bigint>;
  }>;
  acmeOrders: {
    id: Generated<bigint>;
    acmeTaskId: bigint;
    registrationId: bigint;
    /** Random; the key is sealed for it. */
    uniqueId: string;
    /** The key of the certificate; empty after the end. */
    sealedKey: string;
    createdAt: bigint;
    /** The time at which the order was sent; 0 before. */
    requestedAt: Generated<bigint>;
    /** Empty until the provider responded. */
    url: Generated<string>;
    step: Generated<Step>;
    /** A JSON array of `Proof`. */
    proofs: Generated<string>;
    answeredAt: Generated<bigint>;
    checks: Generated<bigint>;
    isOpen: DefaultFlag;
  };
  acmeTaskLogs: { id: Generated<bigint>; acmeTaskId: bigint; isOk: Flag; error: string; createdAt: bigint };
}

export type AuthType = "dns" | "http";

/** The step of an order: not placed, publishing proofs, waiting for the checks of the provider, or obtaining a certificate. */
export type Step = "new" | "proving" | "checking" | "issuing";

export type TaskRow = Selectable<Tables["acmeTasks"]>;
export type OrderRow = Selectable<Tables["acmeOrders"]>;
export type LogRow = Selectable<Tables["acmeTaskLogs"]>;
