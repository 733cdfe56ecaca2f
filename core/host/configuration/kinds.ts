import type { ApiDocument, ApiOperation, FieldDeclaration, KindDeclaration } from "../api_cli/api_document.ts";
import { UsageError } from "../api_cli/exit_codes.ts";
import { type Field, fieldOf } from "../api_cli/field_values.ts";

/** A field of a file. */
export interface FileField {
  readonly name: string;
  /** The names of the request fields that set it. */
  readonly requests: readonly string[];
  /** The path of its value in the object, if it is not the name of a request field. */
  readonly from: string | undefined;
  readonly type: Field["kind"];
  readonly isList: boolean;
  /** The kind to which it refers, if the field itself is a reference. */
  readonly target: string | undefined;
  readonly prefix: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** The field and the value with which the secret is required; undefined for always. */
  readonly when: readonly [field: string, value: string] | undefined;
  /** The declarations of paths in its JSON. */
  readonly inner: ReadonlyMap<string, FieldDeclaration>;
}

/** A field of a request that writes an object. */
export interface WriteField {
  readonly name: string;
  /** The field of the file; undefined if the request field is no configuration. */
  readonly file: string | undefined;
  readonly from: string | undefined;
  /** The value of a new object, for a field that is no configuration. */
  readonly initial: unknown;
}

/** An operation that writes objects, with the fields that it takes beside id and constants. */
export interface Write {
  readonly operation: ApiOperation;
  readonly fields: readonly WriteField[];
}

/** A kind of configuration. */
export interface Kind {
  readonly name: string;
  readonly declaration: KindDeclaration;
  /** The request field with the id; undefined for objects without one. */
  readonly id: string | undefined;
  readonly list: ApiOperation | undefined;
  readonly find: ApiOperation | undefined;
  /** The operations that read parts of an object. */
  readonly parts: readonly ApiOperation[];
  /** The operation that reads the secrets of an object. */
  readonly secrets: ApiOperation | undefined;
  readonly create: Write | undefined;
  readonly changes: readonly Write[];
  readonly remove: Write | undefined;
  readonly order: ApiOperation | undefined;
  readonly key: readonly string[];
  readonly constants: Readonly<Record<string, string>>;
  readonly fields: ReadonlyMap<string, FileField>;
}

/** The kinds of an installation by name, and by the request field with their id, in lower case. */
export interface Kinds {
  readonly byName: ReadonlyMap<string, Kind>;
  readonly byIdField: ReadonlyMap<string, string>;
}

/**
 * Returns the kinds that an installation declares.
 *
 * @throws UsageError if a declaration names an operation that is not served
 */
export function kindsOf(document: ApiDocument): Kinds {
  const declared = document.kinds();
  const byIdField = new Map<string, string>();
  for (const [, { id = "", name }] of declared) {
    if (id !== "" && !byIdField.has(id.toLowerCase())) byIdField.set(id.toLowerCase(), name);
  }
  const kinds = declared.map(([service, declaration]) => new KindReader(document, service, declaration, byIdField));
  return { byName: new Map(kinds.map((reader) => reader.kind()).map((kind) => [kind.name, kind])), byIdField };
}

/** Returns the kind to which a field of that name refers, if it is that of an id or of ids. */
export function targetOf(name: string, byIdField: ReadonlyMap<string, string>): string | undefined {
  const plain = name.toLowerCase();
  return byIdField.get(plain) ?? (plain.endsWith("ids") ? byIdField.get(plain.slice(0, -1)) : undefined);
}

/** Reads the declaration of one kind. */
class KindReader {
  readonly #document: ApiDocument;
  readonly #service: string;
  readonly #declaration: KindDeclaration;
  readonly #byIdField: ReadonlyMap<string, string>;
  readonly #constants: Readonly<Record<string, string>>;

  constructor(
    document: ApiDocument,
    service: string,
    declaration: KindDeclaration,
    byIdField: ReadonlyMap<string, string>,
  ) {
    this.#document = document;
    this.#service = service;
    this.#declaration = declaration;
    this.#byIdField = byIdField;
    this.#constants = Object.fromEntries((declaration.constant ?? []).map(pair));
  }

  kind(): Kind {
    const { name, id, list, find, create, change = [], delete: remove, order, key = [], secrets } = this.#declaration;
    const changes = change.map(({ operation }) => this.#operation(operation));
    const created = create === undefined ? undefined : this.#operation(create);
    const parts = [...new Set(change.flatMap(({ find: part }) => part === undefined ? [] : [part]))];
    return {
      name,
      declaration: this.#declaration,
      id,
      list: list === undefined ? undefined : this.#operation(list),
      find: find === undefined ? undefined : this.#operation(find),
      parts: parts.map((part) => this.#operation(part)),
      secrets: secrets === undefined ? undefined : this.#operation(secrets),
      create: created && this.#write(created),
      changes: changes.map((operation) => this.#write(operation)),
      remove: remove === undefined ? undefined : this.#write(this.#operation(remove)),
      order: order === undefined ? undefined : this.#operation(order),
      key,
      constants: this.#constants,
      fields: this.#fields([...created === undefined ? [] : [created], ...changes]),
    };
  }

  #operation(method: string): ApiOperation {
    const operation = this.#document.operation(this.#service, method);
    if (operation !== undefined) return operation;
    throw new UsageError(
      `the kind ${this.#declaration.name} needs /${this.#service}/${method}, which is not served`,
    );
  }

  #declared(operation: ApiOperation, name: string): FieldDeclaration | undefined {
    const { field = [] } = this.#declaration;
    return field.find((each) => each.name === `${operation.method}.${name}`) ??
      field.find((each) => each.name === name);
  }

  #write(operation: ApiOperation): Write {
    const fields = this.#requestFields(operation).map((name): WriteField => {
      const { ignored = false, from, initial } = this.#declared(operation, name) ?? {};
      return {
        name,
        file: ignored ? undefined : this.#fileName(operation, name),
        from,
        initial: initial === undefined ? undefined : JSON.parse(initial),
      };
    });
    return { operation, fields };
  }

  #requestFields({ fields }: ApiOperation): string[] {
    return Object.keys(fields).filter((name) => name !== this.#declaration.id && !(name in this.#constants));
  }

  #fileName(operation: ApiOperation, name: string): string {
    const { as, kind } = this.#declared(operation, name) ?? {};
    if (as !== undefined) return as;
    const isReference = (kind ?? targetOf(name, this.#byIdField)) !== undefined;
    const plain = isReference ? name.replace(/Ids$/, "s").replace(/Id$/, "") : name.replace(/JSON$/, "");
    return plain.charAt(0).toLowerCase() + plain.slice(1);
  }

  #fields(operations: readonly ApiOperation[]): Map<string, FileField> {
    const fields = new Map<string, FileField>();
    for (const operation of operations) {
      for (const name of this.#requestFields(operation)) {
        const declared = this.#declared(operation, name);
        if (declared?.ignored) continue;
        const file = this.#fileName(operation, name);
        const earlier = fields.get(file);
        const { type, isList } = this.#typeOf(operation, name);
        const own: FileField = {
          name: file,
          requests: [name],
          from: declared?.from,
          type,
          isList,
          target: type === "json" ? undefined : declared?.kind ?? targetOf(name, this.#byIdField),
          prefix: declared?.prefix ?? "",
          isSecret: declared?.secret ?? false,
          isRequired: declared?.required ?? false,
          when: declared?.when === undefined ? undefined : pair(declared.when),
          inner: this.#inner(operation, name),
        };
        fields.set(file, earlier === undefined ? own : merged(earlier, own));
      }
    }
    return fields;
  }

  /** A field with JSON may contain a list without being one. */
  #typeOf({ fields }: ApiOperation, name: string): Pick<FileField, "type" | "isList"> {
    const schema = fields[name]!;
    const isJson = [schema, ...schema.anyOf ?? []].some(({ contentMediaType }) => contentMediaType !== undefined);
    if (isJson) return { type: "json", isList: false };
    const { kind: type, isList } = fieldOf(this.#document, name, schema);
    return { type, isList };
  }

  /** Returns what is declared about paths in the JSON of a field. */
  #inner({ method }: ApiOperation, name: string): Map<string, FieldDeclaration> {
    const found = (this.#declaration.field ?? []).flatMap((declared) => {
      const path = declared.name.replace(`${method}.`, "");
      return path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), declared] as const] : [];
    });
    return new Map(found);
  }
}

/** Two operations may set one field. */
function merged(earlier: FileField, { requests, from, inner }: FileField): FileField {
  return {
    ...earlier,
    requests: [...new Set([...earlier.requests, ...requests])],
    from: earlier.from ?? from,
    inner: new Map([...earlier.inner, ...inner]),
  };
}

function pair(text: string): [string, string] {
  const [name = "", ...value] = text.split("=");
  return [name, value.join("=")];
}
