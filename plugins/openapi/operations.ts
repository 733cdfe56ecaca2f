import type { DescService } from "@bufbuild/protobuf";
import type { Comments, DeclaredError, ServedOperation } from "edgehelm/runtime";
import { ERROR_STATUS, type ErrorSchemas } from "./error_responses.ts";
import type { Example, Examples } from "./examples.ts";
import type { MessageSchemas } from "./message_schemas.ts";
import type { Schema } from "./value_schemas.ts";

/** The sources from which operations are described. */
export interface Descriptions {
  readonly comments: Comments;
  readonly schemas: MessageSchemas;
  readonly examples: Examples;
  readonly errors: ErrorSchemas;
}

/** Returns the path items of operations, by path. */
export function pathItems(
  operations: readonly ServedOperation[],
  descriptions: Descriptions,
): Record<string, Schema> {
  return Object.fromEntries(
    operations.map((operation) => [operation.path, { post: describe(operation, descriptions) }]),
  );
}

/** Returns a description of streams, which are called over gRPC, gRPC-Web or Connect. */
export function streams(
  operations: readonly ServedOperation[],
  comments: Comments,
): readonly Schema[] {
  return operations.map(({ rpcPath, plugin, method, roles }) => ({
    rpc: rpcPath,
    description: comments[`${method.parent.typeName}.${method.name}`] ?? "",
    plugin,
    roles: [...roles].sort(),
  }));
}

function describe(operation: ServedOperation, { comments, schemas, examples, errors }: Descriptions): Schema {
  const { path, rpcPath, plugin, method, roles, modules, effect } = operation;
  const description = comments[`${method.parent.typeName}.${method.name}`] ?? "";
  const isPublic = roles.has("anonymous");
  const isRepeatable = !isPublic && effect !== "read";
  const envelope = errors.envelope(operation);
  return {
    operationId: path.slice(1).replace("/", "."),
    tags: [method.parent.name],
    summary: firstSentence(description) || path.slice(1),
    description: `${description}\n\nMay be called by: ${[...roles].sort().join(", ")}.`.trim(),
    ...method.proto.options?.deprecated === true ? { deprecated: true } : {},
    ...isPublic ? { security: [] } : {},
    ...isRepeatable && { parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }] },
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: schemas.reference(method.input, "request"), example: examples.request(method) },
      },
    },
    responses: {
      "200": {
        ...success(schemas.reference(method.output, "response"), envelope, examples.response(method)),
        ...isRepeatable && { headers: { "Idempotent-Replayed": { $ref: "#/components/headers/IdempotentReplayed" } } },
      },
      ...errors.responses(envelope),
    },
    "x-edgehelm-plugin": plugin,
    "x-edgehelm-rpc": rpcPath,
    "x-edgehelm-roles": [...roles].sort(),
    ...roles.has("admin") && { "x-edgehelm-modules": modules },
    "x-edgehelm-effect": effect,
    "x-edgehelm-errors": reasons(errors.ofCode(operation)),
  };
}

/** Returns errors by their reasons and codes. */
export function reasons(errors: readonly DeclaredError[]): readonly Schema[] {
  return errors.map(({ reason, kind }) => ({ reason, code: ERROR_STATUS[kind] }));
}

/** By default the HTTP status of a failed operation is 200 as well, with the code of the error in the envelope. */
function success(data: Schema, error: Schema, example: Example): Schema {
  const envelope = {
    type: "object",
    required: ["code", "data", "message"],
    properties: { code: { const: 200 }, data, message: { type: "string" } },
  };
  return {
    description: "The response, or an error: `code` tells them apart.",
    content: {
      "application/json": {
        schema: { oneOf: [envelope, error] },
        example: { code: 200, data: example, message: "ok" },
      },
    },
  };
}

/** Returns the first sentence of a comment, without its full stop. */
export function firstSentence(comment: string): string {
  const end = comment.search(/[.:;](?:\s|$)|\n/);
  return end < 0 ? comment : comment.slice(0, end);
}

/** Returns operations in the order of their paths. */
export function byPath(operations: readonly ServedOperation[]): readonly ServedOperation[] {
  return [...operations].sort((one, other) => one.path.localeCompare(other.path, "en"));
}

/** Returns the services of operations, in the order of the operations. */
export function servicesOf(operations: readonly ServedOperation[]): readonly DescService[] {
  return [...new Map(operations.map(({ method }) => [method.parent.typeName, method.parent])).values()];
}
