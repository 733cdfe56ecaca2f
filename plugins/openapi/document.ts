import { type Comments, type OperationErrors, PROGRAM_VERSION, type ServedApi } from "edgehelm/runtime";
import { configurationOf } from "./configuration.ts";
import { ERROR_EXAMPLES, ErrorSchemas } from "./error_responses.ts";
import { Examples } from "./examples.ts";
import { MessageSchemas } from "./message_schemas.ts";
import { byPath, pathItems, servicesOf, streams } from "./operations.ts";
import type { OpenApiConfig } from "./proto/config_pb.ts";
import type { Schema } from "./value_schemas.ts";

/** Explains how operations are called. */
export const CALLING =
  `Every operation is a POST request with a JSON object, and responds with an envelope: \`code\`, \`data\` and \`message\`. \
By default the HTTP status is 200 even if the operation failed (except 413 and 415), and \`code\` tells the outcome. \
Installations with \`"http": {"errorStatus": "mirror"}\` send the code as the HTTP status.

An access token is the result of \`APIAccessTokenService/getAPIAccessToken\`. 64-bit integers are numbers up to 2^53-1 \
and decimal strings above; requests may use both. Fields that an operation does not know are ignored.

The examples of requests work in an installation that has the objects they refer to, here with the id 1.`;

const TOKEN = { type: "apiKey", in: "header" };

/** The descriptions that are loaded for the document. */
export interface Sources {
  readonly comments: Comments;
  readonly errors: OperationErrors;
}

/** Loads what the document is made from. */
export async function sourcesOf(api: ServedApi): Promise<Sources> {
  const [comments, errors] = await Promise.all([api.comments(), api.errors()]);
  return { comments, errors };
}

/** Returns the OpenAPI 3.1 document of an installation. */
export function openApiDocument(
  api: ServedApi,
  { comments, errors: knownErrors }: Sources,
  config: OpenApiConfig,
): string {
  const operations = byPath(api.operations());
  const schemas = new MessageSchemas(comments, "#/components/schemas/");
  const unary = operations.filter(({ method }) => method.methodKind === "unary");
  const errors = new ErrorSchemas(knownErrors);
  const paths = pathItems(unary, { comments, schemas, examples: new Examples(comments), errors });
  return JSON.stringify({
    openapi: "3.1.0",
    info: infoOf(config),
    servers: [{ url: config.serverUrl || "/" }],
    security: [{ accessToken: [] }, { bearer: [] }],
    tags: servicesOf(operations).map((service) => ({
      name: service.name,
      description: comments[service.typeName] ?? service.name,
      ...configurationOf(service),
    })),
    paths,
    "x-edgehelm-streams": streams(operations.filter((operation) => !unary.includes(operation)), comments),
    components: {
      schemas: { ...errors.all, ...schemas.all },
      examples: ERROR_EXAMPLES,
      headers: {
        IdempotentReplayed: {
          description: "`true` on the response to an earlier request with the same idempotency key; absent otherwise.",
          schema: { const: "true" },
        },
      },
      parameters: {
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          description: "Makes a retry safe: a later request with the same key and body gets the first response.",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
        },
      },
      securitySchemes: {
        accessToken: { ...TOKEN, name: "X-Cloud-Access-Token", description: "The access token." },
        bearer: { type: "http", scheme: "bearer", description: "The access token as a bearer token." },
      },
    },
  });
}

function infoOf({ title, contactName: name, contactUrl: url, contactEmail: email }: OpenApiConfig): Schema {
  const contact = { ...name && { name }, ...url && { url }, ...email && { email } };
  return {
    title: title || "Edgehelm",
    version: PROGRAM_VERSION,
    summary: "The management API of a CDN and DNS network.",
    description: CALLING,
    license: { name: "MIT", url: "https://opensource.org/license/mit" },
    ...Object.keys(contact).length > 0 && { contact },
  };
}
