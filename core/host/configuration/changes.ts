import { UsageError } from "../api_cli/exit_codes.ts";
import type { Write, WriteField } from "./kinds.ts";
import type { Wanted } from "./import_files.ts";
import type { Item } from "./item.ts";
import { secretName, type Secrets, variableOf } from "./secrets.ts";
import { at, isObject, Secret, type ValueCodec, type Values } from "./values.ts";

/** Finds the ids of objects by their labels; undefined for one that does not exist. */
export type IdOf = (kind: string, label: string) => string | undefined;

/** Returns the text that stands for an object among those of all kinds. */
export function objectKey(kind: string, label: string): string {
  return `${kind} ${label}`;
}

/** Thrown for a reference to an object that does not exist yet. */
export class Unresolved extends Error {}

/** Makes requests of the objects of files. */
export class Requests {
  readonly #codec: ValueCodec;
  readonly #secrets: Secrets;
  readonly #idOf: IdOf;

  constructor(codec: ValueCodec, secrets: Secrets, idOf: IdOf) {
    this.#codec = codec;
    this.#secrets = secrets;
    this.#idOf = idOf;
  }

  /**
   * Returns the request that creates an object.
   *
   * @param leavesOut true to leave out fields with references to objects that do not exist yet
   * @throws Unresolved, or UsageError if a secret is missing
   */
  create(wanted: Wanted, { fields }: Write, leavesOut = false): Values {
    const { kind } = wanted;
    const entries = fields.flatMap((field) => {
      if (field.file === undefined) return field.initial === undefined ? [] : [[field.name, field.initial] as const];
      if (!(field.file in wanted.values)) return [];
      try {
        return this.#entry(wanted, field, wanted.values[field.file], true);
      } catch (error) {
        if (leavesOut && error instanceof Unresolved) return [];
        throw error;
      }
    });
    return { ...kind.constants, ...Object.fromEntries(entries) };
  }

  /** Returns the objects, by kind and label, that must exist before an object can be created whole. */
  missing({ kind, values }: Wanted, { fields }: Write): Set<string> {
    const found = new Set<string>();
    for (const { file } of fields) {
      const field = file === undefined || !(file in values) ? undefined : kind.fields.get(file)!;
      if (field === undefined || field.isSecret) continue;
      this.#codec.write(field, values[field.name], {
        secret: () => undefined,
        reference: (target, label) => {
          const id = this.#idOf(target, String(label));
          if (id === undefined && field.prefix === "") found.add(objectKey(target, String(label)));
          return id;
        },
      });
    }
    return found;
  }

  /** Returns the request that changes an object; what the file leaves out stays as it is. */
  change(wanted: Wanted, item: Item, write: Write): Values {
    const { kind } = wanted;
    const entries = write.fields.flatMap((field) => {
      if (field.file === undefined) {
        const present = at(item.object, field.from ?? field.name);
        return present === undefined ? [] : [[field.name, present] as const];
      }
      const present = item.values[field.file];
      const value = field.file in wanted.values ? this.#completed(wanted.values[field.file], present) : present;
      return value === undefined ? [] : this.#entry(wanted, field, value, false);
    });
    return withId(kind.id, item.id, write, { ...kind.constants, ...Object.fromEntries(entries) });
  }

  /** Adds what a file leaves out of an object, and secrets whose values are not given. */
  #completed(wanted: unknown, present: unknown): unknown {
    const name = secretName(wanted);
    if (name !== undefined) {
      return present instanceof Secret && this.#secrets.value(name) === undefined ? present : wanted;
    }
    if (Array.isArray(wanted)) {
      return wanted.map((item, index) => this.#completed(item, Array.isArray(present) ? present[index] : undefined));
    }
    if (!isObject(wanted) || !isObject(present)) return wanted;
    const names = [...new Set([...Object.keys(present), ...Object.keys(wanted)])];
    return Object.fromEntries(
      names.map((each) => [each, each in wanted ? this.#completed(wanted[each], present[each]) : present[each]]),
    );
  }

  #entry(
    { kind, place }: Wanted,
    { name, file }: WriteField,
    value: unknown,
    isNew: boolean,
  ): (readonly [string, unknown])[] {
    const field = kind.fields.get(file!)!;
    const written = this.#codec.write(field, value, {
      reference: (target, label) => {
        const id = this.#idOf(target, String(label));
        if (id !== undefined || field.prefix !== "") return id;
        throw new Unresolved(`${place(file)}: ${name}: ${target} "${label}" does not exist`);
      },
      secret: (secret) => {
        if (secret instanceof Secret) return secret.kept;
        const of = secretName(secret);
        if (of === undefined) return secret;
        const found = this.#secrets.value(of);
        if (found !== undefined) return found;
        if (!isNew) return undefined;
        throw new UsageError(
          `${place(file)}: the secret "${of}" is missing; set ${variableOf(of)}, or add it to secrets.yaml`,
        );
      },
    });
    return written === undefined ? [] : [[name, written]];
  }
}

/** Adds the id: to the request or, if it has no such field, to the JSON that it consists of. */
function withId(idField: string | undefined, id: string | undefined, { operation, fields }: Write, request: Values) {
  if (idField === undefined || id === undefined) return request;
  if (idField in operation.fields) return { ...request, [idField]: id };
  const [{ name }] = fields as [WriteField];
  return { ...request, [name]: { ...isObject(request[name]) ? request[name] : {}, id: Number(id) } };
}
