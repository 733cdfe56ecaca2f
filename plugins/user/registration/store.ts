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
    /** Counts up to `limit`. */
    countOfAll: db.query((q, p: { since: bigint; limit: number }) =>
      q.selectFrom((all) =>
        all.selectFrom("userRegistrations").select("id").where("createdAt", ">", p.since).limit(p.limit).as("some")
      ).select(rowCount)
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
