import type { Db } from "edgehelm";
import type { Tables } from "./store.ts";

/** The SQL statements that change users. */
export function userChanges(db: Db<Tables>) {
  return {
    insert: db.insertUnique("users", [
      "username",
      "password",
      "fullname",
      "mobile",
      "tel",
      "email",
      "remark",
      "source",
      "registeredIP",
      "nodeClusterId",
      "isVerified",
      "createdAt",
    ]),
    update: db.update("users", [
      "fullname",
      "mobile",
      "tel",
      "email",
      "remark",
      "isOn",
      "nodeClusterId",
      "bandwidthAlgo",
    ]),
    setInfo: db.update("users", ["fullname", "mobile", "email"]),
    setVerifiedEmail: db.update("users", ["email", "verifiedEmail"]),
    setUsername: db.update("users", ["username"]),
    setPassword: db.update("users", ["password"], { loggedInAt: 0n }),
    setLoggedInAt: db.update("users", ["loggedInAt"]),
    setVerified: db.update("users", ["isVerified", "isRejected", "rejectReason"]),
    setFeatures: db.update("users", ["featureCodes"]),
    setPriceType: db.update("users", ["priceType"]),
    setPricePeriod: db.update("users", ["pricePeriod"]),
    remove: db.update("users", [], { state: 0n }),
    beginRemoval: db.query((q, p: { id: bigint }) => q.insertInto("userRemovals").values({ userId: p.id })),
    nextRemoval: db.query((q) => q.selectFrom("userRemovals").select("userId").orderBy("userId").limit(1)),
    endRemoval: db.query((q, p: { userId: bigint }) => q.deleteFrom("userRemovals").where("userId", "=", p.userId)),
  };
}

export type UserChanges = ReturnType<typeof userChanges>;
