import { type Call, invalid, mayAccessOwner, RpcError } from "edgehelm";
import type { UserQuota, UserQuotaOverride, UserQuotas } from "./contract.ts";

const NO_LIMIT = 0n;

/** Implements the contract: the maximum is that of the user's plans, of the installation, or the default. */
export class Quotas implements UserQuotas {
  readonly #limits: Readonly<Record<string, bigint>>;
  readonly #declared: readonly UserQuota[];
  readonly #overrides: readonly UserQuotaOverride[];

  /** @param limits the maxima that the installation sets, by name */
  constructor(
    limits: Readonly<Record<string, bigint>>,
    declared: readonly UserQuota[],
    overrides: readonly UserQuotaOverride[],
  ) {
    this.#limits = limits;
    this.#declared = declared;
    this.#overrides = overrides;
  }

  async require(
    call: Call,
    quota: UserQuota,
    userId: bigint,
    added: number | bigint,
    count: () => Promise<bigint>,
  ): Promise<void> {
    if (mayAccessOwner(call.caller, 0n) || added <= 0) return;
    const max = await this.#maxOf(call, quota, userId);
    if (max === NO_LIMIT) return;
    const present = await count();
    if (present + BigInt(added) <= max) return;
    throw new RpcError(
      `user_quota.${quota.name}`,
      "exhausted",
      `the quota "${quota.name}" of user ${userId} allows ${max}: there are ${present}, and ${added} more were requested`,
    );
  }

  requireName(field: string, name: string): void {
    if (this.#declared.some((quota) => quota.name === name)) return;
    const names = this.#declared.map((quota) => quota.name).sort().join(", ");
    throw invalid(field, `quota "${name.slice(0, 60)}" does not exist; known quotas: ${names}`);
  }

  /** Refuses settings of the installation that no enabled plugin would read. */
  checkLimits(): void {
    for (const [name, max] of Object.entries(this.#limits)) {
      this.requireName("limits", name);
      if (max < 0n) throw invalid(`limits.${name}`, `must not be negative, got ${max}`);
    }
  }

  async #maxOf(call: Call, { name, max }: UserQuota, userId: bigint): Promise<bigint> {
    for (const override of this.#overrides) {
      const overridden = await override.maxOf(call, userId, name);
      if (overridden !== undefined) return overridden;
    }
    return this.#limits[name] ?? max;
  }
}
