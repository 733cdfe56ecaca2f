import type { Kysely, Selectable } from "kysely";
import type { Call } from "../../base/call.ts";
import { invalid, kernelErrors, type RpcError } from "../../base/errors.ts";
import { idField } from "../../fields/fields.ts";
import { mayAccessOwner } from "../../fields/ownership.ts";
import type { Db } from "../database.ts";
import { type Deletable, type LiveRows, liveRows } from "./live_rows.ts";
import { anyOf } from "../parameters.ts";
import type { Query } from "../query.ts";
import { isLive } from "./selections.ts";
import { ownedReferrer } from "./owned_referrer.ts";
import type { ReferenceColumns } from "./reference_pages.ts";
import { type Reference, type Referrer, reportedBy, type SharingOptions, type Taker } from "./sharing.ts";

/**
 * The common statements of a table whose rows belong to users, or with `userId` 0 to the installation. `find` returns
 * what the caller may see; `require` and `requireAll` return what the caller may change. See {@link ownedRows}.
 */
export interface OwnedRows<Row> extends LiveRows<Row> {
  /** Returns the ids of at most `limit` rows of a user, in ascending order. */
  readonly someOfUser: Query<{ userId: bigint; limit: number }, { id: bigint }>;
  /** Soft-deletes at most `limit` rows of a user. Returns their number; fewer than `limit` means that none are left. */
  removeSome(call: Call, userId: bigint, limit: number): Promise<bigint>;
  /**
   * Lets an object of the taker refer to rows. A user's request may refer to rows that the user may see. In a request
   * of any other caller, rows of the installation that no object of another owner refers to become the taker's.
   *
   * @throws RpcError invalid with the field of the first row that does not exist, or that belongs to another owner
   */
  take(call: Call, references: readonly Reference[], taker: Taker): Promise<void>;
  /**
   * Reports the rows of another plugin that rows of this table refer to.
   *
   * @param columns the columns of references; those of this table itself have the `id` "id"
   */
  referrer(columns: ReferenceColumns): Referrer;
}

/**
 * Like {@link liveRows}, for rows that have an owner. For a user, the rows of other owners do not exist, except rows of
 * the installation that are shared: an object that the user may see refers to them. These the user may see and refer
 * to, but not change.
 *
 * @param missing returns the error for a row that does not exist
 * @param sharing the objects that refer to rows; without it, no row is shared
 *
 * @example
 * ```ts
 * import { ownedRows } from "edgehelm";
 *
 * const certificates = ownedRows(db, "certificates", errors.not_found, { referrers });
 * const visible = await certificates.find(call, request.certId);
 * const changeable = await certificates.require(call, "certId", request.certId);
 * ```
 */
export function ownedRows<Tables, Name extends keyof Tables & string>(
  db: Db<Tables>,
  table: Selectable<Tables[Name]> extends { userId: bigint } ? Name : never,
  missing: (id: bigint) => RpcError,
  { referrers = [], isForSharing, taken }: SharingOptions<Selectable<Tables[Name]>> = {},
): OwnedRows<Selectable<Tables[Name]>> {
  type Row = Selectable<Tables[Name]>;
  type Owned = Row & { readonly id: bigint; readonly userId: bigint };
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
  const setOwner = ofUsers.query((q, p: { ids: readonly bigint[]; userId: bigint }) =>
    q.updateTable(table as string).set({ userId: p.userId }).where("id", "in", anyOf(p.ids))
  );
  const rows = liveRows<Tables, Name>(db, table, missing);

  async function ownersOf(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>> {
    if (ids.length === 0) return new Map();
    return new Map((await owners.all(call, { ids })).map(({ id, userId }) => [id, userId]));
  }

  /** Returns the rows that the user may see: the user's own, and those that are shared with the user. */
  async function seenBy(call: Call, owned: ReadonlyMap<bigint, bigint>, userId: bigint): Promise<ReadonlySet<bigint>> {
    const ids = [...owned.keys()];
    const shared = await sharedWith(call, ids.filter((id) => owned.get(id) === 0n), userId);
    return new Set(ids.filter((id) => owned.get(id) === userId || shared.has(id)));
  }

  /** Returns which rows of the installation are shared with the user. */
  function sharedWith(call: Call, ids: readonly bigint[], userId: bigint): Promise<ReadonlySet<bigint>> {
    return reportedBy(referrers, ids, (referrer) => referrer.referredFor(call, ids, userId));
  }

  async function isVisible(call: Call, { id, userId }: Owned): Promise<boolean> {
    if (mayAccessOwner(call.caller, userId)) return true;
    return call.caller.role === "user" && (await seenBy(call, new Map([[id, userId]]), call.caller.userId)).has(id);
  }

  async function requireChangeable(call: Call, field: string, row: Owned | undefined, id: bigint): Promise<Owned> {
    if (row === undefined) throw missing(id);
    if (mayAccessOwner(call.caller, row.userId)) return row;
    throw await isVisible(call, row) ? kernelErrors.shared(field, id) : missing(id);
  }

  /** Gives the taker the rows of the previous owner and the installation, unless others refer to them. */
  async function move(call: Call, references: readonly Reference[], owned: ReadonlyMap<bigint, bigint>, taker: Taker) {
    const { userId, previousUserId = 0n } = taker;
    const foreign = references.find(({ id }) => ![userId, previousUserId, 0n].includes(owned.get(id)!));
    if (foreign !== undefined) throw kernelErrors.other_owner(foreign.field, foreign.id);
    const ids = references.map(({ id }) => id).filter((id) => owned.get(id) !== userId);
    const busy = await reportedBy(referrers, ids, (referrer) => referrer.referredByOthers(call, ids, userId));
    const kept = references.find(({ id }) => busy.has(id) && owned.get(id) !== 0n);
    if (kept !== undefined) throw kernelErrors.other_owner(kept.field, kept.id);
    const free = ids.filter((id) => !busy.has(id));
    const movable = (free.length === 0 ? [] : await rows.byIds.all(call, { ids: free }) as Owned[])
      .filter((row) => row.userId !== 0n || isForSharing?.(row) !== true);
    if (movable.length === 0) return;
    await setOwner.run(call, { ids: movable.map(({ id }) => id), userId });
    for (const row of movable) {
      await taken?.(call, row, references.find(({ id }) => id === row.id)!.field, taker);
    }
  }

  return {
    ...rows,
    someOfUser: ofUsers.query(someOfUser),
    removeSome: (call, userId, limit) => removeSome.run(call, { userId, limit }),
    async find(call, id) {
      const row = await rows.find(call, id) as Owned | undefined;
      return row !== undefined && await isVisible(call, row) ? row : undefined;
    },
    require: async (call, field, id) =>
      await requireChangeable(call, field, await rows.find(call, idField(field, id)) as Owned | undefined, id),
    async requireAll(call, ids) {
      const found = await rows.requireAll(call, ids) as Owned[];
      for (const row of found) await requireChangeable(call, "id", row, row.id);
      return found;
    },
    async take(call, references, taker) {
      const { caller } = call;
      const owned = await ownersOf(call, references.map(({ id }) => id));
      const usable = caller.role === "user" ? await seenBy(call, owned, caller.userId) : owned;
      const absent = references.find(({ id }) => !usable.has(id));
      if (absent !== undefined) throw invalid(absent.field, missing(absent.id).message);
      if (caller.role !== "user") await move(call, references, owned, taker);
    },
    referrer: (columns) => ownedReferrer(db, table, columns, sharedWith),
  };
}
