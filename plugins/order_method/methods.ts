import type { SealedSecrets } from "edgehelm/auth";
import type { OrderMethods, OrderMethodSummary } from "./contract.ts";
import type { OrderMethodRow, OrderMethodStore } from "./store.ts";

/** The sealed columns. */
export interface MethodSecrets {
  readonly secret: SealedSecrets;
  readonly params: SealedSecrets;
}

/** Implements the contract. */
export function orderMethods(methods: OrderMethodStore, secrets: MethodSecrets): OrderMethods {
  return {
    summaries: methods.references(summary).summaries,
    async withCode(call, code) {
      const row = await methods.withCode.first(call, { code });
      return row && summary(row);
    },
    async settings(call, id) {
      const row = await methods.byId.first(call, { id });
      if (row === undefined) return undefined;
      return { id, code: row.code, url: row.url, ...await opened(row, secrets) };
    },
  };
}

/** Opens the secret and the parameters of a method. */
export async function opened({ secret, params, sealedFor }: OrderMethodRow, secrets: MethodSecrets) {
  const json = await secrets.params.open(sealedFor, params);
  return { secret: await secrets.secret.open(sealedFor, secret), paramsJSON: new TextEncoder().encode(json) };
}

/** Returns what users may see of a method. */
export function summary(row: OrderMethodRow): OrderMethodSummary {
  const { id, name, code, description, parentCode, clientType, qrcodeTitle } = row;
  return { id, name, code, description, isOn: row.isOn === 1n, parentCode, clientType, qrcodeTitle };
}
