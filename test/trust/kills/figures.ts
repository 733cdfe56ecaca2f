/** The counts of a run. */
export class Figures {
  readonly acknowledged = { acknowledged: 0, http: 0, connect: 0, grpcweb: 0, grpc: 0 };
  readonly changes = { created: 0, updated: 0, deleted: 0, repeated: 0, repeatedAtOnce: 0, happenedWithoutResponse: 0 };
  readonly errors = { lost: 0, doubled: 0, returned: 0, contradictions: 0, damaged: 0, failed: 0 };
  /** The audit records of changes. */
  readonly audit = { audited: 0 };

  get all(): Readonly<Record<string, number>> {
    return { ...this.acknowledged, ...this.changes, ...this.errors, ...this.audit };
  }
}
