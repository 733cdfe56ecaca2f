import { anyOf, type Db, type DefaultFlag, type Flag, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Kysely, type Selectable, sql } from "kysely";
import type { AddressedNode } from "./contract.ts";
import { errors } from "./errors.ts";

export interface Tables {
  nodeIPAddresses: LiveTable<{
    nodeId: bigint;
    role: string;
    /** A copy of the node's property. */
    nodeIsOn: Flag;
    /** A copy of the node's property. */
    nodeClusterId: bigint;
    name: string;
    ip: string;
    description: string;
    canAccess: Flag;
    isOn: DefaultFlag;
    isUp: Flag;
    /** A JSON array; an empty one means all clusters of the node. */
    clusterIds: string;
  }>;
}

export type NodeIPAddressRow = Selectable<Tables["nodeIPAddresses"]>;

/** Identifies a node. */
export interface NodeRef {
  readonly nodeId: bigint;
  readonly role: string;
}

/** The columns of a new address. */
export interface NewAddress extends NodeRef {
  readonly nodeIsOn: boolean;
  readonly nodeClusterId: bigint;
  readonly name: string;
  readonly ip: string;
  readonly description: string;
  readonly canAccess: boolean;
  readonly isUp: boolean;
  readonly clusterIds: string;
}

/** Selects the addresses of a list; 0 and empty values match all. */
export interface Filter {
  readonly nodeClusterId: bigint;
  readonly role: string;
  /** 1 matches addresses that are up, 2 the others. */
  readonly upState: number;
  /** A pattern returned by `containing`. */
  readonly pattern: string;
}

const ADDRESS = ["name", "ip", "canAccess", "isUp", "clusterIds"] as const;

/** Returns the statements of this plugin. */
export function nodeIPAddressStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("nodeIPAddresses").where("state", "=", 1n);
  const countLive = (q: Kysely<Tables>) => live(q).select(rowCount);
  const downFirst = (q: Kysely<Tables>) => live(q).selectAll().orderBy("isUp").orderBy("id", "desc");
  const matches = (p: Filter) =>
    sql<boolean>`(${p.nodeClusterId} = 0 or nodeClusterId = ${p.nodeClusterId}) and (${p.role} = '' or role = ${p.role})
      and (${p.upState} = 0 or isUp = (${p.upState} = 1))
      and (${p.pattern} = '' or ip like ${p.pattern} escape '\\' or name like ${p.pattern} escape '\\'
        or description like ${p.pattern} escape '\\')`;
  const accessible = sql<boolean>`isOn = 1 and nodeIsOn = 1 and canAccess = 1`;

  return {
    ...liveRows(db, "nodeIPAddresses", errors.not_found),
    insert: db.insertUnique("nodeIPAddresses", [
      ...ADDRESS,
      "nodeId",
      "role",
      "nodeIsOn",
      "nodeClusterId",
      "description",
    ]),
    update: db.update("nodeIPAddresses", [...ADDRESS, "isOn"]),
    setUp: db.update("nodeIPAddresses", ["isUp"]),
    setNode: db.query((q, p: AddressedNode & { id: bigint; nodeId: bigint }) =>
      q.updateTable("nodeIPAddresses")
        .set({ nodeId: p.nodeId, nodeIsOn: p.isOn, nodeClusterId: p.nodeClusterId }).where("id", "=", p.id)
    ),
    copyNode: db.query((q, p: NodeRef & AddressedNode) =>
      q.updateTable("nodeIPAddresses").set({ nodeIsOn: p.isOn, nodeClusterId: p.nodeClusterId })
        .where("nodeId", "=", p.nodeId).where("role", "=", p.role).where("state", "=", 1n)
    ),
    softDeleteOfNode: db.query((q, p: NodeRef) =>
      q.updateTable("nodeIPAddresses").set({ state: 0n }).where("nodeId", "=", p.nodeId).where("role", "=", p.role)
        .where("state", "=", 1n)
    ),
    ofNode: db.query((q, p: NodeRef) =>
      live(q).selectAll().where("nodeId", "=", p.nodeId).where("role", "=", p.role).orderBy("id")
    ),
    ofNodes: db.query((q, p: { nodeIds: bigint[]; role: string }) =>
      live(q).selectAll().where("nodeId", "in", anyOf(p.nodeIds)).where("role", "=", p.role).orderBy("id")
    ),
    sameOnNode: db.query((q, p: NodeRef & { ip: string }) =>
      live(q).select("id").where("nodeId", "=", p.nodeId).where("role", "=", p.role).where("ip", "=", p.ip)
    ),
    nodesWith: db.query((q, p: { role: string; pattern: string; limit: number }) =>
      live(q).select("nodeId").distinct().where("role", "=", p.role).where(
        sql<boolean>`ip like ${p.pattern} escape '\\'`,
      )
        .limit(p.limit)
    ),
    page: db.query((q, p: Page) => downFirst(q).limit(p.size).offset(p.offset)),
    count: db.query((q) => countLive(q)),
    // No single index covers these filters, so they run off the event loop with `scan`.
    pageMatching: db.query((q, p: Filter & Page) => downFirst(q).where(matches(p)).limit(p.size).offset(p.offset)),
    countMatching: db.query((q, p: Filter) => countLive(q).where(matches(p))),
    accessible: db.query((q, p: Page & { role: string }) =>
      live(q).selectAll().where(accessible).where("role", "=", p.role).orderBy("id").limit(p.size).offset(p.offset)
    ),
    accessibleOfCluster: db.query((q, p: Page & { role: string; nodeClusterId: bigint }) =>
      live(q).selectAll().where(accessible).where("role", "=", p.role).where("nodeClusterId", "=", p.nodeClusterId)
        .orderBy("id").limit(p.size).offset(p.offset)
    ),
    countAccessible: db.query((q, p: { role: string }) => countLive(q).where(accessible).where("role", "=", p.role)),
    countAccessibleOfCluster: db.query((q, p: { role: string; nodeClusterId: bigint }) =>
      countLive(q).where(accessible).where("role", "=", p.role).where("nodeClusterId", "=", p.nodeClusterId)
    ),
  };
}

export type NodeIPAddressStore = ReturnType<typeof nodeIPAddressStore>;
