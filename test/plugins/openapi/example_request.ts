import { create, type DescMethodUnary, type JsonObject, toJson } from "@bufbuild/protobuf";
import { referencesTo } from "../../matrix/id_fields.ts";
import type { SettingsWorld } from "../../matrix/settings_world.ts";

/** Returns the example of a request with the ids of objects of the world in place of those of the document. */
export function requestIn({ objects }: SettingsWorld, method: DescMethodUnary, example: JsonObject): JsonObject {
  const referring = create(method.input, referencesTo(method, ...objects) as never);
  const references = toJson(method.input, referring) as JsonObject;
  const isId = (name: string) =>
    /Ids?$|DomainNames?$|^(?:names?|nsRecords|dnsDomain|domains)$/.test(name) && name in references &&
    name !== "requestId";
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, isId(name) ? references[name]! : value]),
  );
}
