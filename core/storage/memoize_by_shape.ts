/**
 * Compiles the statements of a filter once per shape, which is the combination of conditions that the filter sets. A
 * statement that leaves out unset conditions can use a suitable index.
 *
 * @param shapeOf returns the shape of a filter. It must not contain values of a request, because every shape is cached
 *   for ever.
 * @param compile compiles the statements of a shape
 * @returns a function that returns the statements for a filter
 *
 * @example
 * ```ts
 * import { rowCount } from "edgehelm";
 * import { memoizeByShape } from "edgehelm/storage";
 *
 * const countFor = memoizeByShape(
 *   ({ keyword }: { readonly keyword: string }) => [keyword !== ""],
 *   ({ keyword }) =>
 *     db.query((q, p: { keyword: string }) =>
 *       q.selectFrom("plans").select(rowCount).$if(keyword !== "", (query) => query.where("name", "=", p.keyword))
 *     ),
 * );
 * const { count } = await countFor({ keyword }).one(call, { keyword });
 * ```
 */
export function memoizeByShape<Arguments extends readonly unknown[], Statements>(
  shapeOf: (...filter: Arguments) => readonly (boolean | string)[],
  compile: (...filter: Arguments) => Statements,
): (...filter: Arguments) => Statements {
  const byShape = new Map<string, Statements>();
  return (...filter) => {
    const shape = shapeOf(...filter).join();
    let statements = byShape.get(shape);
    if (statements === undefined) byShape.set(shape, statements = compile(...filter));
    return statements;
  };
}
