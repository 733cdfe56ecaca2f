import { idFieldOf, type Resource } from "../api/resources.ts";
import { call } from "../shell/call.ts";
import type { Row } from "../shell/area.ts";

/** True if an object can be found by its id: by an operation, or in a list that is read whole. */
export function isFindable({ find, list }: Resource): boolean {
  return find !== undefined || list.method.input.fields.every(({ localName }) => localName !== "size");
}

/** Finds an object by its id; undefined if there is none. */
export async function findObject(resource: Resource, id: string, signal?: AbortSignal): Promise<Row | undefined> {
  const { find, noun, message, list, items } = resource;
  if (find !== undefined) {
    const field = idFieldOf(find, noun);
    const response = await call(find, { [field?.localName ?? "id"]: BigInt(id) }, signal);
    const output = find.method.output.fields.find((candidate) => candidate.message?.typeName === message.typeName);
    return response[output!.localName] as Row | undefined;
  }
  if (!isFindable(resource)) return undefined;
  const response = await call(list, {}, signal);
  return (response[items.localName] as readonly Row[]).find((row) => String(row["id"]) === id);
}
