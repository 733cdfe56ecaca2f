/** This is thrown instead of overwriting what was changed elsewhere. */
export class ChangedElsewhere extends Error {}

/**
 * Loads an object again before it is written, so that the change of another reader is not overwritten.
 *
 * @param seen what the form was opened with
 * @param load loads what it is now
 * @param message what the reader sees if the two differ
 * @throws ChangedElsewhere
 */
export async function requireUnchanged<Value>(
  seen: Value,
  load: () => Promise<Value>,
  message: string,
): Promise<void> {
  if (written(await load()) !== written(seen)) throw new ChangedElsewhere(message);
}

function written(value: unknown): string {
  return JSON.stringify(value, (_key, part) => {
    if (typeof part === "bigint") return String(part);
    return part instanceof Uint8Array ? [...part] : part;
  });
}
