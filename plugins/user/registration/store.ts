import { type Db, rowCount } from "edgehelm";
import type { Tables } from "../store.ts";

/** The SQL statements that count registrations. */
export function registrationStore(db: Db<Tables>) {
  return {
    insert: db.insert("userRegistrations", ["addressGroup", "createdAt"]),
    countOfAddress: db.query((q, p: { addressGroup: string; since: bigint }) =>
      q.selectFrom("userRegistrations").select(rowCount).where("addressGroup", "=", p.addressGroup)
        .where("createdAt", ">", p.since)
    ),
    countOfAll: db.query((q, p: { since: bigint }) =>
      q.selectFrom("userRegistrations").select(rowCount).where("createdAt", ">", p.since)
    ),
    removeOld: db.query((q, p: { since: bigint }) =>
      q.deleteFrom("userRegistrations").where(
        "id",
        "in",
        (old) => old.selectFrom("userRegistrations").select("id").where("createdAt", "<=", p.since).limit(1000),
      )
    ),
  };
}

export type RegistrationStore = ReturnType<typeof registrationStore>;
