import type { Kysely, Selectable } from "kysely";
import type { Call } from "../../base/call.ts";
import { invalid, type RpcError } from "../../base/errors.ts";
import { idField } from "../../fields/fields.ts";
import { mayAccessOwner, onlyOwned, requireOwned } from "../../fields/ownership.ts";
import type { Db } from "../database.ts";
import { type Deletable, type LiveRows, liveRows } from "./live_rows.ts";
import { anyOf } from "../parameters.ts";
import type { Query } from "../query.ts";
import { isLive } from "./selections.ts";

/** The common statements of a table whose rows belong to users. See {@link ownedRows}. */
export interface OwnedRows<Row> extends LiveRows<Row> {
  /** Returns the ids of at most `limit` rows of a user, in ascending order. */
  readonly someOfUser: Query<{ userId: bigint; limit: number }, { id: bigint }>;
  /**
   * Checks that the caller may use every row that a request refers to.
   *
   * @throws RpcError invalid with the field of the first row that does not exist or belongs to another user
   */
  requireUsable(call: Call, references: readonly { readonly field: string; readonly id: bigint }[]): Promise<void>;
  /** Soft-deletes at most `limit` rows of a user. Returns their number; fewer than `limit` means that none are left. */
  removeSome(call: Call, userId: bigint, limit: number): Promise<bigint>;
}

/**
 * Like {@link liveRows}, for rows that belong to users: for a user, the rows of other users do not exist.
 *
 * @param missing returns the error for a row that does not exist
 *
 * @example
 * ```ts
 * import { ownedRows } from "edgehelm";
 *
 * const certificates = ownedRows(db, "certificates", errors.not_found);
 * const row = await certificates.require(call, "certId", request.certId);
 * ```
 */
export function ownedRows<Tables, Name extends keyof Tables & string>(
  db: Db<Tables>,
  table: Selectable<Tables[Name]> extends { userId: bigint } ? Name : never,
  missing: (id: bigint) => RpcError,
): OwnedRows<Selectable<Tables[Name]>> {
  const ofUsers = db as unknown as Db<Record<string, Deletable & { userId: bigint }>>;
  const someOfUser = (
    q: Kysely<Record<string, Deletable & { userId: bigint }>>,
    p: { userId: bigint; limit: number },
  ) =>
    q.selectFrom(table as string).select("id").where("userId", "=", p.userId).where(isLive).orderBy("id").limit(
      p.limit,
    );
  const removeSome = ofUsers.query((q, p: { userId: bigint; limit: number }) =>
    q.updateTable(table as string).set({ state: 0n }).where("id", "in", () => someOfUser(q, p))
  );
  const owners = ofUsers.query((q, p: { ids: readonly bigint[] }) =>
    q.selectFrom(table as string).select(["id", "userId"]).where("id", "in", anyOf(p.ids)).where(isLive)
  );
  const rows = liveRows<Tables, Name>(db, table, missing);
  type Owned = Selectable<Tables[Name]> & { readonly userId: bigint };
  return {
    ...rows,
    someOfUser: ofUsers.query(someOfUser),
    async requireUsable(call, references) {
      const found = await owners.all(call, { ids: references.map(({ id }) => id) });
      const usable = new Set(found.filter(({ userId }) => mayAccessOwner(call.caller, userId)).map(({ id }) => id));
      const absent = references.find(({ id }) => !usable.has(id));
      if (absent !== undefined) throw invalid(absent.field, missing(absent.id).message);
    },
    removeSome: (call, userId, limit) => removeSome.run(call, { userId, limit }),
    find: async (call, id) => onlyOwned(call, await rows.find(call, id) as Owned | undefined),
    require: async (call, field, id) =>
      requireOwned(call, await rows.find(call, idField(field, id)) as Owned | undefined, missing(id)),
    async requireAll(call, ids) {
      const found = await rows.requireAll(call, ids) as (Owned & Deletable)[];
      return found.map((row) => requireOwned(call, row, missing(row.id)));
    },
  };
}
