import type { Draft } from "../draft.ts";

/** The values of a form after the object was changed elsewhere. */
export interface Merged {
  /** The reader's changes, and the other ones' where the reader changed nothing. */
  readonly draft: Draft;
  /** The fields that were changed here and there, to different values. The draft has the reader's. */
  readonly conflicts: readonly string[];
}

/**
 * Merges what the reader typed with what the object has become.
 *
 * @param base the object when the form was opened
 * @param mine the form now
 * @param theirs the object now
 */
export function merged(base: Draft, mine: Draft, theirs: Draft): Merged {
  const names = Object.keys({ ...base, ...mine, ...theirs });
  const valueIn = (draft: Draft, name: string) => draft[name] ?? "";
  const isChanged = (draft: Draft, name: string) => valueIn(draft, name) !== valueIn(base, name);
  return {
    draft: Object.fromEntries(names.map((name) => [name, valueIn(isChanged(mine, name) ? mine : theirs, name)])),
    conflicts: names.filter((name) =>
      isChanged(mine, name) && isChanged(theirs, name) && valueIn(mine, name) !== valueIn(theirs, name)
    ),
  };
}
