import type { Call } from "../base/call.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";
import type { SigningKeyRow, SigningKeyStore } from "./signing_keys.ts";

/** Creates a store for the signing keys in the table `kernel_signing_keys`. */
export function signingKeyStore(db: Db<KernelTables>): SigningKeyStore<Call> {
  const all = db.query((q) => q.selectFrom("kernel_signing_keys").selectAll().orderBy("createdAt").orderBy("kid"));
  const insert = db.query((q, p: KernelTables["kernel_signing_keys"]) =>
    q.insertInto("kernel_signing_keys").values({
      kid: p.kid,
      publicJwk: p.publicJwk,
      sealedPrivateJwk: p.sealedPrivateJwk,
      createdAt: p.createdAt,
      retiredAt: p.retiredAt,
    })
  );
  const retire = db.query((q, p: { kid: string; at: bigint }) =>
    q.updateTable("kernel_signing_keys").set({ retiredAt: p.at }).where("kid", "=", p.kid)
  );
  const deleteByKid = db.query((q, p: { kid: string }) => q.deleteFrom("kernel_signing_keys").where("kid", "=", p.kid));
  return {
    all: (call) => all.all(call, {}),
    insert: async (call: Call, row: SigningKeyRow) => void await insert.run(call, row),
    retire: async (call, kid, at) => void await retire.run(call, { kid, at }),
    delete: async (call, kid) => void await deleteByKid.run(call, { kid }),
  };
}
