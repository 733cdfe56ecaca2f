import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { jsonContentOf } from "edgehelm/wire";

/** Returns true for a bytes field that contains JSON. */
export function isJsonField(field: DescField): boolean {
  return field.scalar === ScalarType.BYTES && field.name.endsWith("JSON");
}

/** Returns the name of a field with its message, such as `pb.NSDomain.tsigJSON`. */
export function fieldName({ parent, name }: DescField): string {
  return `${parent.typeName}.${name}`;
}

/** Returns messages with all messages in them, also those that JSON fields contain. */
export function reachableMessages(messages: readonly DescMessage[]): DescMessage[] {
  const found = new Set<DescMessage>();
  const waiting = [...messages];
  for (let message = waiting.pop(); message !== undefined; message = waiting.pop()) {
    if (found.has(message)) continue;
    found.add(message);
    waiting.push(...message.fields.flatMap(messagesIn));
  }
  return [...found];
}

function messagesIn(field: DescField): DescMessage[] {
  if (field.message !== undefined) return [field.message];
  if (!isJsonField(field)) return [];
  return jsonContentOf(field)?.shapes.filter((shape) => typeof shape !== "string") ?? [];
}
