import { anyOf, type Call, type Db } from "edgehelm";
import { feedRows } from "edgehelm/storage";
import type { Status } from "./rules.ts";
import { isForbidden } from "./store.ts";
import { domainFeed, type NSDomainList, type Tables } from "./store_tables.ts";

/** New domains that differ only in their names. */
export interface NewDomains {
  readonly nsClusterId: bigint;
  readonly userId: bigint;
  readonly names: readonly string[];
  readonly status: Status;
  readonly groupIds: string;
  readonly createdAt: bigint;
}

const PLACE = ["nsClusterId", "userId", "status", "groupIds"] as const;

/** Returns the statements that change domains. */
export function nsDomainChanges(db: Db<Tables>, list: NSDomainList) {
  const { createAll, change, softDelete } = feedRows(db, domainFeed, {
    insert: [...PLACE, "name", "createdAt"],
    update: [...PLACE, "isOn", "isOffByAdmin", "tsigJSON", "recordsHealthCheckJSON"],
  });

  return {
    change,
    softDelete,
    /** Creates domains and returns their ids in the order of the names. */
    async create(call: Call, { names, ...domain }: NewDomains): Promise<bigint[]> {
      const ids = await createAll(call, names.map((name) => ({ ...domain, name })));
      await list.added(call, ids, domain);
      return ids;
    },
    /** Allows users to use the names of deleted domains. */
    allowDeleted: db.query((q, p: { names: readonly string[] }) =>
      q.updateTable("nsDomains").set({ status: "none", isOffByAdmin: 0n }).where("name", "in", anyOf(p.names))
        .where(isForbidden).where("state", "=", 0n)
    ),
    endFollow: db.query((q, p: { nsDomainId: bigint; changes: bigint }) =>
      q.deleteFrom("nsDomainFollowings").where("nsDomainId", "=", p.nsDomainId).where("changes", "=", p.changes)
    ),
  };
}

export type NSDomainChanges = ReturnType<typeof nsDomainChanges>;
