import type { Db } from "edgehelm";

export interface Tables {
  acmeAuthentications: { token: string; key: string; serverId: bigint; acmeTaskId: bigint };
}

/** Defines the SQL statements of this plugin. */
export function authenticationStore(db: Db<Tables>) {
  return {
    byToken: db.query((q, p: { token: string }) =>
      q.selectFrom("acmeAuthentications").selectAll().where("token", "=", p.token)
    ),
    put: db.put("acmeAuthentications", ["token"], ["token", "key", "serverId", "acmeTaskId"]),
    removeOfTask: db.query((q, p: { acmeTaskId: bigint }) =>
      q.deleteFrom("acmeAuthentications").where("acmeTaskId", "=", p.acmeTaskId)
    ),
  };
}
