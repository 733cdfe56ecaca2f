import type { ErrorKind } from "edgehelm/runtime";
import type { Schema } from "./value_schemas.ts";

/** The code of each kind of error: in the envelope, and as the HTTP status with `"errorStatus": "mirror"`. */
export const ERROR_STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  exhausted: 429,
  cancelled: 499,
  internal: 500,
  unimplemented: 501,
  unavailable: 503,
  deadline: 504,
};

export const ERROR_RESPONSE: Schema = { $ref: "#/components/schemas/ErrorEnvelope" };

/** The envelope of errors. */
export const ERROR_ENVELOPE: Schema = {
  type: "object",
  description: "An error. Programs should match on `reason`; messages may improve.",
  required: ["code", "data", "message", "reason"],
  properties: {
    code: { enum: Object.values(ERROR_STATUS) },
    data: { type: "object", maxProperties: 0 },
    message: { type: "string" },
    reason: { type: "string", pattern: "^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$" },
    requestId: { type: "string", description: "The id of the request in the log of the server." },
  },
};

const DESCRIBED_RANGES = {
  "4XX": ["clientError", "The request was refused. Sent as the HTTP status only if the installation mirrors codes."],
  "5XX": ["serverError", "The server failed. Sent as the HTTP status only if the installation mirrors codes."],
} as const;
const ERROR_EXAMPLES: Schema = {
  clientError: {
    code: 404,
    data: {},
    message: "no operation has the path /ExampleService/find",
    reason: "kernel.no_such_operation",
    requestId: "example",
  },
  serverError: {
    code: 503,
    data: {},
    message: "try again later",
    reason: "kernel.unavailable",
    requestId: "example",
  },
};
const RANGES = Object.entries(DESCRIBED_RANGES);

/** The responses of each operation besides 200, by status. */
export const ERROR_RESPONSES: Schema = Object.fromEntries(
  RANGES.map(([status, [name]]) => [status, { $ref: `#/components/responses/${name}` }]),
);

/** The shared responses to which {@link ERROR_RESPONSES} refers. */
export const ERROR_COMPONENTS: Schema = Object.fromEntries(
  RANGES.map(([, [name, description]]) => [
    name,
    { description, content: { "application/json": { schema: ERROR_RESPONSE, example: ERROR_EXAMPLES[name] } } },
  ]),
);
