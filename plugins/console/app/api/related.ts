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
  // what belongs to fewer kinds of objects is more closely related to this one
  return related.sort((one, other) => owners(one) - owners(other));
}

function owners({ resource: { list } }: Related): number {
  return list.method.input.fields.filter(({ localName, proto }) =>
    localName.endsWith("Id") && proto.options?.deprecated !== true
  ).length;
}
