import type { Any } from "@bufbuild/protobuf/wkt";

/**
 * The kinds of error. The list is closed: every kind has one envelope code and one gRPC status.
 *
 * - `invalid`: a field of the request is invalid; the message names it.
 * - `unauthenticated`: the access token is missing or invalid.
 * - `forbidden`: the caller's role, or the modules of the admin, do not allow the operation, or the caller may see the
 *   row but not change it.
 * - `not_found`: the operation or the row does not exist, or the caller may not see it.
 * - `conflict`: the state of the data forbids the change: a name is taken, or a row is in use.
 * - `too_large`: the request exceeds a size limit.
 * - `unsupported`: the encoding of the request is not supported.
 * - `exhausted`: a quota or rate limit is used up.
 * - `cancelled`: the caller disconnected.
 * - `deadline`: the call took longer than the caller or the installation allows.
 * - `unimplemented`: the protocol of the request cannot carry the operation.
 * - `unavailable`: a dependency is temporarily unavailable; a retry may succeed.
 * - `failed_precondition`: the system is not in the state that the operation needs, and a retry alone does not help.
 * - `aborted`: a concurrent change got in the way; a retry of the whole sequence may succeed.
 * - `out_of_range`: the request is past the end of something that may grow, such as a file.
 * - `data_loss`: stored data is lost or damaged.
 * - `unknown`: an error of another system that says no more.
 * - `internal`: a defect in the server. What a handler throws that is no RpcError becomes one, and its text never leaves
 *   the process.
 */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_large"
  | "unsupported"
  | "exhausted"
  | "cancelled"
  | "deadline"
  | "unimplemented"
  | "unavailable"
  | "failed_precondition"
  | "aborted"
  | "out_of_range"
  | "data_loss"
  | "unknown"
  | "internal";

/** The envelope code and the gRPC status number of each kind. */
export const ERROR_CODES: Readonly<Record<ErrorKind, { readonly envelope: number; readonly grpc: number }>> = {
  invalid: { envelope: 400, grpc: 3 },
  unauthenticated: { envelope: 401, grpc: 16 },
  forbidden: { envelope: 403, grpc: 7 },
  not_found: { envelope: 404, grpc: 5 },
  conflict: { envelope: 409, grpc: 6 },
  too_large: { envelope: 413, grpc: 8 },
  unsupported: { envelope: 415, grpc: 12 },
  exhausted: { envelope: 429, grpc: 8 },
  cancelled: { envelope: 499, grpc: 1 },
  internal: { envelope: 500, grpc: 13 },
  unimplemented: { envelope: 501, grpc: 12 },
  unavailable: { envelope: 503, grpc: 14 },
  deadline: { envelope: 504, grpc: 4 },
  failed_precondition: { envelope: 400, grpc: 9 },
  aborted: { envelope: 409, grpc: 10 },
  out_of_range: { envelope: 400, grpc: 11 },
  data_loss: { envelope: 500, grpc: 15 },
  unknown: { envelope: 500, grpc: 2 },
};

const MAX_DETAIL_BYTES = 8192;
const NO_DETAILS: readonly Any[] = [];

/**
 * An error that a caller may see. Declare errors with {@link defineErrors} instead of constructing them.
 *
 * @example
 * ```ts
 * import { RpcError } from "edgehelm";
 *
 * try {
 *   await plans.require(call, "planId", planId);
 * } catch (error) {
 *   if (!(error instanceof RpcError) || error.kind !== "not_found") throw error;
 * }
 * ```
 */
export class RpcError extends Error {
  override readonly name = "RpcError";
  /** A stable identifier for programs, such as `ns_domain.name_taken`. */
  readonly reason: string;
  readonly kind: ErrorKind;
  /** The number of seconds after which a retry may succeed; transports send it to the caller. */
  retryAfterSeconds: number | undefined;
  /** The messages for programs that the error carries beside its reason. */
  details: readonly Any[] = NO_DETAILS;

  constructor(reason: string, kind: ErrorKind, message: string, options?: ErrorOptions) {
    // The message may quote a lone surrogate that the caller sent, which a header cannot carry.
    super(message.toWellFormed(), options);
    this.reason = reason;
    this.kind = kind;
  }

  /**
   * Sets the delay after which the caller may retry, and returns this error.
   *
   * @param seconds rounded up to a whole number, at least 1
   */
  retryAfter(seconds: number): this {
    this.retryAfterSeconds = Math.max(1, Math.ceil(seconds));
    return this;
  }

  /**
   * Adds details for programs, and returns this error. gRPC, gRPC-Web and Connect carry them in its status, after the
   * google.rpc.ErrorInfo with the reason; the JSON of an error contains them as `details`, each with its `type` and its
   * `value` in base64.
   *
   * @param details messages that `anyPack` of `@bufbuild/protobuf/wkt` has packed, at most 8192 bytes together
   * @throws RangeError if they are larger
   *
   * @example
   * ```ts
   * import { anyPack } from "@bufbuild/protobuf/wkt";
   * import { create } from "@bufbuild/protobuf";
   * import { RpcError } from "edgehelm";
   * import { ErrorInfoSchema } from "edgehelm/proto/google/rpc/error_details_pb.js";
   *
   * const info = create(ErrorInfoSchema, { reason: "DISK_FULL", domain: "storage.example.com" });
   * throw new RpcError("backup.failed", "failed_precondition", "the disk is full")
   *   .withDetails(anyPack(ErrorInfoSchema, info));
   * ```
   */
  withDetails(...details: readonly Any[]): this {
    const all = [...this.details, ...details];
    const bytes = all.reduce((sum, { typeUrl, value }) => sum + typeUrl.length + value.length, 0);
    if (bytes > MAX_DETAIL_BYTES) {
      throw new RangeError(`the details of an error have at most ${MAX_DETAIL_BYTES} bytes`);
    }
    this.details = all;
    return this;
  }
}

/** The kind of an error, and its text from details. */
export type ErrorDefinition = readonly [kind: ErrorKind, message: (...details: never[]) => string];
/** The functions that create declared errors. */
export type ErrorFactories<Definitions> = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends
    readonly [ErrorKind, (...details: infer Details) => string] ? (...details: Details) => RpcError : never;
};

/**
 * Declares the errors of a plugin.
 *
 * @param owner the plugin's name; the reason of an error is `<owner>.<name>`
 * @param definitions for each name the kind, and a function that returns the message: lower case, no full stop, naming
 *   the object and the cause
 * @returns a factory for each name, which returns an error to throw
 *
 * @example
 * ```ts
 * import { defineErrors } from "edgehelm";
 *
 * export const errors = defineErrors("ns_domain", {
 *   name_taken: ["conflict", (name: string) => `domain "${name}" already exists`],
 * });
 * throw errors.name_taken("example.com");
 * ```
 */
export function defineErrors<const Definitions extends Record<string, ErrorDefinition>>(
  owner: string,
  definitions: Definitions,
): ErrorFactories<Definitions> {
  const factories: Record<string, (...details: never[]) => RpcError> = {};
  for (const [name, [kind, message]] of Object.entries(definitions)) {
    factories[name] = (...details) => new RpcError(`${owner}.${name}`, kind, message(...details));
  }
  declarations.set(
    factories,
    Object.entries(definitions).map(([name, [kind]]) => ({ reason: `${owner}.${name}`, kind })),
  );
  return factories as ErrorFactories<Definitions>;
}

/** An error as {@link defineErrors} declares it. */
export interface DeclaredError {
  /** A stable identifier for programs, such as `ns_domain.name_taken`. */
  readonly reason: string;
  readonly kind: ErrorKind;
}

const declarations = new WeakMap<object, readonly DeclaredError[]>();

/** Returns the declarations of a result of {@link defineErrors}. */
export function declaredErrors(errors: object): readonly DeclaredError[] {
  return declarations.get(errors) ?? [];
}

/** The reason of the error that leaves open whether a transaction was committed. */
export const OUTCOME_UNKNOWN = "kernel.outcome_unknown";

/**
 * The errors that every operation may return. Their reasons are `kernel.<name>`.
 *
 * @example
 * ```ts
 * import { kernelErrors } from "edgehelm";
 *
 * throw kernelErrors.unavailable("the mail server cannot be reached").retryAfter(30);
 * ```
 */
export const kernelErrors = defineErrors("kernel", {
  invalid_field: ["invalid", (field: string, cause: string) => `${field}: ${cause}`],
  malformed: ["invalid", (cause: string) => `Decode request failed: ${cause}`],
  token_missing: ["unauthenticated", () => `an access token is required in the header X-Cloud-Access-Token`],
  token_invalid: ["unauthenticated", () => "invalid access token"],
  role_forbidden: [
    "forbidden",
    (role: string, operation: string) => `permission denied: the role "${role}" may not call ${operation}`,
  ],
  module_required: [
    "forbidden",
    (what: string, modules: readonly string[]) =>
      `permission denied: this admin may not ${what}, which requires the module ${
        modules.map((module) => `"${module}"`).join(" or ")
      }`,
  ],
  super_required: ["forbidden", (what: string) => `permission denied: only a super admin may ${what}`],
  shared: [
    "forbidden",
    (field: string, id: bigint) =>
      `${field}: ${id} belongs to the installation: users may use it, only admins change it`,
  ],
  other_owner: ["invalid", (field: string, id: bigint) => `${field}: ${id} belongs to another owner`],
  too_large: ["too_large", (what: string, limit: string) => `${what} is larger than the limit of ${limit}`],
  not_found: ["not_found", (what: string) => `${what} does not exist`],
  exhausted: ["exhausted", (what: string) => what],
  unsupported: ["unsupported", (what: string) => what],
  too_many_calls: [
    "exhausted",
    (limit: number) => `this caller already has ${limit} calls in flight; wait until one has finished`,
  ],
  too_many_attempts: [
    "exhausted",
    (seconds: number) => `too many failed attempts: try again in ${seconds} second${seconds === 1 ? "" : "s"}`,
  ],
  unimplemented: ["unimplemented", (what: string) => what],
  unavailable: ["unavailable", (what: string) => what],
  outcome_unknown: ["unavailable", (what: string) => what],
  deadline: ["deadline", (what: string) => `${what} took longer than its deadline allows`],
  cancelled: ["cancelled", () => "the caller disconnected"],
  conflict: ["conflict", (what: string) => what],
  internal: ["internal", () => "internal error"],
});

/**
 * Returns the error for an invalid field of a request, with the reason `kernel.invalid_field`.
 *
 * @param field the path of the field, such as `rules[2].name`
 * @param cause the rule that the value breaks, and the value
 *
 * @example
 * ```ts
 * import { invalid } from "edgehelm";
 *
 * if (size < 0n) throw invalid("size", `must not be negative, got ${size}`);
 * ```
 */
export function invalid(field: string, cause: string): RpcError {
  return kernelErrors.invalid_field(field, cause);
}
