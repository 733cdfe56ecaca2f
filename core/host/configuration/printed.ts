import type { Difference } from "./differences.ts";
import { secretName } from "./secrets.ts";
import type { Plan } from "./plan.ts";
import type { Wanted } from "./import_files.ts";
import type { Item } from "./item.ts";
import { isObject } from "./values.ts";

const MAX_LENGTH = 100;

/** Returns a plan as lines for people. */
export function planLines(plan: Plan, { deletes }: { readonly deletes: boolean }): string[] {
  const { creates, changes, surplus, orders, renames } = plan;
  return [
    ...creates.map((wanted) => `+ ${nameOf(wanted)}`),
    ...changes.flatMap(({ wanted, differences }) => [
      `~ ${nameOf(wanted)}`,
      ...differences.map(({ path, before, after }) => `    ${path}: ${shown(before)} -> ${shown(after)}`),
    ]),
    ...orders.map(({ name }) => `~ ${name}: the order of the objects`),
    ...surplus.flatMap((item) => {
      const renamed = renames.get(item);
      return [
        deletes ? `- ${nameOf(item)}` : `- ${nameOf(item)} (kept; --delete deletes it)`,
        ...renamed === undefined ? [] : [
          `    "${renamed.label}" differs from it in its name only: to rename an object, change its name in the ` +
          "installation before its file",
        ],
      ];
    }),
    summary(plan, deletes),
  ];
}

/** Returns a plan as data for programs. */
export function planData({ creates, changes, surplus, orders }: Plan, { deletes }: { readonly deletes: boolean }) {
  return {
    create: creates.map(({ kind, label }) => ({ kind: kind.name, name: label })),
    change: changes.map(({ wanted: { kind, label }, differences }) => ({
      kind: kind.name,
      name: label,
      fields: differences.map(fieldData),
    })),
    order: orders.map(({ name }) => name),
    [deletes ? "delete" : "keep"]: surplus.map(({ kind, label }) => ({ kind: kind.name, name: label })),
  };
}

function fieldData({ path, before, after }: Difference) {
  return { field: path, before: before ?? null, after: after ?? null };
}

function summary({ creates, changes, surplus, orders }: Plan, deletes: boolean): string {
  const count = changes.length + orders.length;
  if (creates.length + count + (deletes ? surplus.length : 0) === 0) {
    return surplus.length === 0 ? "no changes" : `no changes, ${surplus.length} to keep`;
  }
  const last = deletes ? `${surplus.length} to delete` : `${surplus.length} to keep`;
  return `${creates.length} to create, ${count} to change, ${last}`;
}

function nameOf({ kind, label }: Wanted | Item): string {
  return label === "" ? kind.name : `${kind.name} "${label}"`;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "none";
  const name = isObject(value) ? secretName(value) : undefined;
  const text = name === undefined ? JSON.stringify(value) : `secret ${name}`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
