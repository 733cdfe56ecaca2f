import type { UseCheck } from "edgehelm";
import type { SSLCertListener } from "../ssl_cert/contract.ts";
import type { OriginListener } from "./contract.ts";
import type { OriginStore } from "./store.ts";

const NO_LIMIT = 1n << 40n;

/** Prevents client certificates of origins from being deleted. */
export function certificateUses(origins: OriginStore): UseCheck {
  return {
    async referencesTo(call, sslCertId, limit) {
      const rows = await origins.withCertificate.all(call, { sslCertId, limit: BigInt(limit) });
      return rows.map(({ id, name }) => `origin ${name === "" ? id : `"${name}"`}`);
    },
  };
}

/** Notifies the users of origins of changes to their client certificates. */
export function certificateListener(origins: OriginStore, listeners: readonly OriginListener[]): SSLCertListener {
  return {
    async changed(call, sslCertId) {
      const ids = (await origins.withCertificate.all(call, { sslCertId, limit: NO_LIMIT })).map(({ id }) => id);
      if (ids.length === 0) return;
      await origins.nextVersionOf.run(call, { ids });
      for (const listener of listeners) await listener.changed(call, ids);
    },
  };
}
