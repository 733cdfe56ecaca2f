import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import type { Operation } from "./model.ts";

/** A kind of object of a service, with the operations that the caller may call on it. */
export interface Resource {
  /** The name of the service without its ending, such as `NSDomain`. */
  readonly noun: string;
  /** The message of one object. */
  readonly message: DescMessage;
  readonly list: Operation;
  /** The field of the list's response that contains the objects. */
  readonly items: DescField;
  readonly count?: Operation | undefined;
  readonly find?: Operation | undefined;
  readonly create?: Operation | undefined;
  readonly update?: Operation | undefined;
  readonly remove?: Operation | undefined;
  /** Every operation of the service. */
  readonly operations: readonly Operation[];
  /** The module that groups it in the navigation; empty if it has none. */
  readonly module: string;
}

/** Returns the resources of all services that have a list, in the order of their names. */
export function resourcesOf(operations: readonly Operation[]): Resource[] {
  const byService = Map.groupBy(operations, ({ service }) => service.name);
  return [...byService].flatMap(([name, own]) => resourceOf(name.replace(/Service$/, ""), own) ?? [])
    .sort((one, other) => one.noun.localeCompare(other.noun));
}

function resourceOf(noun: string, operations: readonly Operation[]): Resource | undefined {
  const list = listOf(noun, operations);
  if (list === undefined) return undefined;
  const items = itemsOf(list.method)!;
  const named = (...names: readonly string[]) =>
    operations.find(({ method }) => names.includes(method.localName) && method.methodKind === "unary");
  return {
    noun,
    message: items.message!,
    list,
    items,
    operations,
    count: operations.find(({ method }) => isCountOf(method, list.method)),
    find: operations.find(({ method }) => isFindOf(method, noun, items.message!)),
    create: named(`create${noun}`),
    update: named(`update${noun}`, `update${noun}Basic`),
    remove: named(`delete${noun}`),
    module: list.allow.modules.find((module) => module !== "common") ?? "",
  };
}

/**
 * Returns the operation that lists the objects: page by page, or all of them. What needs another object, such as
 * `findAllNSNodesWithNSClusterId`, is not a list of the kind.
 */
function listOf(noun: string, operations: readonly Operation[]): Operation | undefined {
  const lists = operations.filter(({ method }) => itemsOf(method) !== undefined);
  // a service may list something else about its objects, such as the regions of nodes
  const isOwn = ({ method }: Operation) => itemsOf(method)!.message!.name === noun;
  const [paged] = lists.filter(({ method }) => /^list/.test(method.localName))
    .sort((one, other) =>
      Number(isOwn(other)) - Number(isOwn(one)) || one.method.localName.length - other.method.localName.length
    );
  if (paged !== undefined) return paged;
  const several = [`${noun}s`, `${noun}es`, `${noun.slice(0, -1)}ies`];
  const names = ["Enabled", "", "Available"].flatMap((which) => several.map((one) => `findAll${which}${one}`));
  return names.map((name) => lists.find(({ method }) => method.localName === name))
    .find((operation) => operation !== undefined);
}

/** Returns the only list of messages in a response. */
function itemsOf({ output }: DescMethod): DescField | undefined {
  const lists = output.fields.filter(({ fieldKind, message }) => fieldKind === "list" && message !== undefined);
  return lists.length === 1 ? lists[0] : undefined;
}

function isCountOf(count: DescMethod, list: DescMethod): boolean {
  return /^count/.test(count.localName) && stem(count.localName) === stem(list.localName);
}

/** `countAllEnabledNSDomains` and `listNSDomains` have the same stem. */
function stem(name: string): string {
  return name.replace(/^(list|count)(All)?(Enabled)?/, "").toLowerCase();
}

function isFindOf({ localName, input, output }: DescMethod, noun: string, message: DescMessage): boolean {
  if (![`find${noun}`, `findEnabled${noun}`].includes(localName) || input.fields.length === 0) return false;
  return output.fields.some((field) => field.fieldKind === "message" && field.message.typeName === message.typeName);
}

/** Returns the request field of an operation that names the object, such as `nsDomainId`. */
export function idFieldOf({ method: { input } }: Operation, noun: string): DescField | undefined {
  const name = `${noun}Id`.toLowerCase();
  return input.fields.find((field) => field.fieldKind === "scalar" && field.localName.toLowerCase() === name) ??
    input.fields.find((field) => field.fieldKind === "scalar" && field.localName === "id");
}
