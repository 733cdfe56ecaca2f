import type { DeclaredError, ErrorKind, OperationErrors, ServedOperation } from "edgehelm/runtime";
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
  failed_precondition: 400,
  aborted: 409,
  out_of_range: 400,
  data_loss: 500,
  unknown: 500,
};

/** The envelope of errors. */
export const ERROR_ENVELOPE: Schema = {
  type: "object",
  description: "An error. Programs should match on `reason`; messages may improve.",
  required: ["code", "data", "message", "reason"],
  properties: {
    code: { enum: [...new Set(Object.values(ERROR_STATUS))] },
    data: { type: "object", maxProperties: 0 },
    message: { type: "string" },
    reason: { type: "string", pattern: "^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$" },
    requestId: { type: "string", description: "The id of the request in the log of the server." },
  },
};

const ENVELOPE = { $ref: "#/components/schemas/ErrorEnvelope" };
const RANGES = {
  "4XX": ["clientError", "The request was refused. Sent as the HTTP status only if the installation mirrors codes."],
  "5XX": ["serverError", "The server failed. Sent as the HTTP status only if the installation mirrors codes."],
} as const;

/** The shared examples of errors. */
export const ERROR_EXAMPLES: Schema = {
  clientError: {
    summary: "A field of the request is not as it must be",
    value: {
      code: 400,
      data: {},
      message: "name: must not be empty",
      reason: "kernel.invalid_field",
      requestId: "example",
    },
  },
  serverError: {
    summary: "The server cannot work at present",
    value: { code: 503, data: {}, message: "try again later", reason: "kernel.unavailable", requestId: "example" },
  },
};

/** Describes the errors of operations by the reasons that each may give. */
export class ErrorSchemas {
  readonly #schemas: Record<string, Schema> = { ErrorEnvelope: ERROR_ENVELOPE };
  readonly #names = new Map<string, string>();
  readonly #errors: OperationErrors;

  constructor(errors: OperationErrors) {
    this.#errors = errors;
  }

  /** The schemas to which the others refer, by name. */
  get all(): Readonly<Record<string, Schema>> {
    return this.#schemas;
  }

  /** Returns the errors that the code of an operation gives. What the kernel refuses is left out. */
  ofCode(operation: ServedOperation): readonly DeclaredError[] {
    return this.#errors.of(operation).filter((error) => !isOfKernel(error));
  }

  /** Returns the schema of the errors of an operation. */
  envelope(operation: ServedOperation): Schema {
    const errors = this.#errors.of(operation);
    const [kernel, own] = [errors.filter(isOfKernel), errors.filter((error) => !isOfKernel(error))];
    const shared = this.#shared(kernel.map(({ reason }) => reason));
    const reason = own.length === 0 ? shared : { anyOf: [shared, { enum: own.map(({ reason }) => reason) }] };
    return { allOf: [ENVELOPE], properties: { reason } };
  }

  /** Returns the responses of an operation besides 200, by status. */
  responses(envelope: Schema): Schema {
    return Object.fromEntries(
      Object.entries(RANGES).map(([status, [name, description]]) => {
        const examples = { error: { $ref: `#/components/examples/${name}` } };
        return [status, { description, content: { "application/json": { schema: envelope, examples } } }];
      }),
    );
  }

  /** Operations of the same roles and effect share the reasons of the kernel. */
  #shared(reasons: readonly string[]): Schema {
    const key = reasons.join();
    const name = this.#names.get(key) ?? `KernelReason${this.#names.size + 1}`;
    this.#names.set(key, name);
    this.#schemas[name] = {
      type: "string",
      description: "The reasons with which the kernel refuses calls of some operations.",
      enum: reasons,
    };
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** The owners of the errors that no plugin declares. */
const OF_KERNEL = /^(?:kernel|idempotency|access_key)\./;

function isOfKernel({ reason }: DeclaredError): boolean {
  return OF_KERNEL.test(reason);
}
