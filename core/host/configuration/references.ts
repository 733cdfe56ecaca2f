import { UsageError } from "../api_cli/exit_codes.ts";
import { nearest } from "../../base/nearest.ts";
import type { WantedObjects } from "./import_files.ts";
import type { Plan } from "./plan.ts";
import type { ValueCodec } from "./values.ts";

/**
 * Checks that what the files refer to is in the files or in the installation.
 *
 * @throws UsageError that names file, line, and the missing object
 */
export function requireReferences(wanted: WantedObjects, { installation }: Plan, codec: ValueCodec): void {
  const labels = new Map<string, Set<string>>();
  const labelsOf = (kind: string): Set<string> => {
    let known = labels.get(kind);
    if (known === undefined) {
      const present = (installation.items.get(kind) ?? []).map(({ label }) => label);
      known = new Set([...present, ...(wanted.get(kind) ?? []).map(({ label }) => label)]);
      labels.set(kind, known);
    }
    return known;
  };
  for (const { kind, values, place } of [...wanted.values()].flat()) {
    for (const [name, value] of Object.entries(values)) {
      const field = kind.fields.get(name)!;
      if (field.isSecret || field.target === undefined && field.type !== "json") continue;
      codec.write(field, value, {
        secret: () => undefined,
        reference(target, label) {
          const known = labelsOf(target);
          // what stays as it is has no name, and is a number
          if (known.has(String(label)) || label === 0 || label === "" || field.prefix !== "") return 1;
          const similar = nearest(String(label), known);
          const hint = similar === undefined ? "" : `; did you mean "${similar}"?`;
          throw new UsageError(`${place(name)}: ${name}: ${target} "${String(label)}" does not exist${hint}`);
        },
      });
    }
  }
}
