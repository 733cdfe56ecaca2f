/**
 * Copies the named members of an object, for example the columns of a row to insert.
 *
 * @example
 * ```ts
 * import { pick } from "edgehelm/storage";
 *
 * db.query((q, p: PlanFields) => q.insertInto("plans").values(pick(p, ["name", "price"])).returning("id"));
 * ```
 */
export function pick<Whole extends object, const Key extends keyof Whole>(
  whole: Whole,
  keys: readonly Key[],
): Pick<Whole, Key> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]])) as Pick<Whole, Key>;
}
