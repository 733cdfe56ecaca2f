/**
 * Statements for each combination of filters, compiled when it is first asked for: written without the filters that are
 * not given, each finds an index of its own.
 *
 * @param shapeOf tells which filters are given; words and flags only, never the values of a request, since every shape
 *   is kept
 * @param compile makes the statements of a shape
 */
export function memoizeByShape<Arguments extends readonly unknown[], Statements>(
  shapeOf: (...filter: Arguments) => readonly (boolean | string)[],
  compile: (...filter: Arguments) => Statements,
): (...filter: Arguments) => Statements {
  const known = new Map<string, Statements>();
  return (...filter) => {
    const shape = shapeOf(...filter).join();
    let statements = known.get(shape);
    if (statements === undefined) known.set(shape, statements = compile(...filter));
    return statements;
  };
}
