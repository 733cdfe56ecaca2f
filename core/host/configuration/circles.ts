import { objectKey } from "./changes.ts";
import type { Wanted } from "./import_files.ts";

/**
 * Returns the objects that could be created first among those that refer to each other: those of which later changes can
 * add all missing references. Plain references come before those in JSON, without which an object may mean something else.
 *
 * @param missingOf returns what an object refers to and does not exist
 */
export function candidates(
  waiting: readonly Wanted[],
  missingOf: (wanted: Wanted) => ReadonlySet<string>,
): readonly Wanted[] {
  const missing = new Map(waiting.map((wanted) => [keyOf(wanted), missingOf(wanted)]));
  const inCircle = waiting.filter((wanted) => reaches(keyOf(wanted), missing));
  const changeable = inCircle.filter(({ kind, values }) => {
    const later = new Set(kind.changes.flatMap(({ fields }) => fields.map(({ file }) => file)));
    return kind.create!.fields.every(({ file }) => file === undefined || !(file in values) || later.has(file));
  });
  return [...changeable, ...inCircle.filter((wanted) => !changeable.includes(wanted))].toSorted((one, other) =>
    Number(hasInner(one)) - Number(hasInner(other))
  );
}

function keyOf({ kind, label }: Wanted): string {
  return objectKey(kind.name, label);
}

/** Returns true if an object refers to itself through others. */
function reaches(start: string, missing: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>();
  const open = [...missing.get(start) ?? []];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === start) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...missing.get(next) ?? []);
  }
  return false;
}

function hasInner({ kind, values }: Wanted): boolean {
  return kind.create!.fields.some(({ file }) => {
    return file !== undefined && file in values && kind.fields.get(file)!.type === "json";
  });
}
