import type { Resource } from "./resources.ts";

/** A list of objects that belong to another one, and the request field that names it. */
export interface Related {
  readonly resource: Resource;
  readonly field: string;
}

/** Returns the lists that can be narrowed to one object, such as the records of a domain. */
export function relatedTo({ noun }: Resource, resources: readonly Resource[]): Related[] {
  const name = `${noun}Id`.toLowerCase();
  const related = resources.flatMap((resource) => {
    const field = resource.list.method.input.fields.find(({ localName }) => localName.toLowerCase() === name);
    return field === undefined || resource.noun === noun ? [] : [{ resource, field: field.localName }];
  });
  // what can only be listed for one object is most closely related to it
  return related.sort((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ resource: { list } }: Related): number {
  return list.method.input.fields.findIndex(({ localName }) => localName.endsWith("Id"));
}
