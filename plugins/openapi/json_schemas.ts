import type { Comments, ServedApi } from "edgehelm/runtime";
import { MessageSchemas } from "./message_schemas.ts";

/** Returns the JSON Schemas of all messages: responses under their names, requests with the suffix `.Input`. */
export function jsonSchemas(api: ServedApi, comments: Comments): string {
  const schemas = new MessageSchemas(comments, "#/$defs/");
  for (const { method } of api.operations()) {
    schemas.reference(method.input, "request");
    schemas.reference(method.output, "response");
  }
  return JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", $defs: schemas.all });
}
