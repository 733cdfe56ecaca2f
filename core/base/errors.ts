/**
 * What kind of failure an error is. The list is closed: every kind has one envelope code and one gRPC status.
 *
 * - `invalid`: a field of the request is wrong; the message names it.
 * - `unauthenticated`: no access token, or one that is not valid.
 * - `forbidden`: the caller's role may not call the operation.
 * - `not_found`: the operation or the row does not exist, or the caller may not see it.
 * - `conflict`: the state of the data forbids it (a name is taken, something is in use).
 * - `too_large`: the request exceeds a size limit.
 * - `unsupported`: the request is encoded in a way that is not known.
 * - `exhausted`: a quota or a rate is used up.
 * - `cancelled`: the caller went away.
 * - `deadline`: it took longer than the caller or the installation allows.
 * - `unimplemented`: the protocol at hand cannot carry the operation.
 * - `unavailable`: something it needs is not there now; trying again later may help.
 * - `internal`: a defect; its text never leaves the process.
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
  | "internal";

/** The one table from kind to the envelope's code and the gRPC status number. */
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
};

/** An error that a caller may see: a stable reason for programs, a kind for protocols, a message for people. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  /** Stable and for programs, such as `ns_domain.name_taken`. */
  readonly reason: string;
  readonly kind: ErrorKind;
  /** When trying again may help; transports tell the caller. */
  retryAfterSeconds: number | undefined;

  constructor(reason: string, kind: ErrorKind, message: string, options?: ErrorOptions) {
    // Half a character that the caller sent has no place in a header.
    super(message.toWellFormed(), options);
    this.reason = reason;
    this.kind = kind;
  }

  /** The same error, telling its caller to try again no sooner. */
  retryAfter(seconds: number): this {
    this.retryAfterSeconds = Math.max(1, Math.ceil(seconds));
    return this;
  }
}

type ErrorDefinition = readonly [kind: ErrorKind, message: (...details: never[]) => string];
type ErrorFactories<Definitions> = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends
    readonly [ErrorKind, (...details: infer Details) => string] ? (...details: Details) => RpcError : never;
};

/**
 * Declares the errors of a plugin in one table.
 *
 * @param owner the plugin's name; reasons are `<owner>.<name>`
 * @param definitions for each name the kind, and a function that words the message: lower case, no full stop,
 *   naming the thing and the cause
 * @returns one factory for each name; throw what it returns
 *
 * @example
 * ```ts
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
  return factories as ErrorFactories<Definitions>;
}

/** The reason of an error after which nobody can tell whether a transaction is durable. */
export const OUTCOME_UNKNOWN = "kernel.outcome_unknown";

/** The errors that every operation may answer with. */
export const kernelErrors = defineErrors("kernel", {
  invalid_field: ["invalid", (field: string, fault: string) => `${field}: ${fault}`],
  malformed: ["invalid", (fault: string) => `Decode request failed: ${fault}`],
  token_missing: ["unauthenticated", () => `an access token is required in the header X-Cloud-Access-Token`],
  token_invalid: ["unauthenticated", () => "invalid access token"],
  role_forbidden: [
    "forbidden",
    (role: string, operation: string) => `permission denied: the role "${role}" may not call ${operation}`,
  ],
  too_large: ["too_large", (what: string, limit: string) => `${what} is larger than the limit of ${limit}`],
  not_found: ["not_found", (what: string) => `${what} does not exist`],
  exhausted: ["exhausted", (what: string) => what],
  unsupported: ["unsupported", (what: string) => what],
  too_many_calls: [
    "exhausted",
    (limit: number) => `${limit} calls of this caller are in flight already; wait for some of them`,
  ],
  too_many_attempts: [
    "exhausted",
    (seconds: number) => `too many failed attempts: try again in ${seconds} second${seconds === 1 ? "" : "s"}`,
  ],
  unimplemented: ["unimplemented", (what: string) => what],
  unavailable: ["unavailable", (what: string) => what],
  outcome_unknown: ["unavailable", (what: string) => what],
  deadline: ["deadline", (what: string) => `${what} took longer than its deadline allows`],
  cancelled: ["cancelled", () => "the caller went away"],
  conflict: ["conflict", (what: string) => what],
  internal: ["internal", () => "internal error"],
});

/** Refuses a field of a request: `invalid("size", "must not be negative, got -1")`. */
export function invalid(field: string, fault: string): RpcError {
  return kernelErrors.invalid_field(field, fault);
}
