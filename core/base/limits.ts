import { StartupError } from "./startup_error.ts";

/** The definition of one limit. */
export interface LimitDefinition {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly unit:
    | "bytes"
    | "characters"
    | "items"
    | "levels"
    | "seconds"
    | "milliseconds"
    | "bytes per second"
    | "at once"
    | "attempts";
  /** The resource that the limit protects, and from what. */
  readonly protects: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** Every limit of an installation, keyed by its name in `limits` of the installation manifest. */
export const LIMIT_TABLE = {
  httpBodyBytes: bytes(32 * MIB, KIB, GIB, "memory from the body of one HTTP request, before and after decompression"),
  anonymousBodyBytes: bytes(64 * KIB, KIB, GIB, "memory from bodies of operations that need no token"),
  bodiesBytes: bytes(512 * MIB, MIB, 2 * GIB, "memory from all HTTP bodies held at the same time"),
  grpcMessageBytes: bytes(4 * MIB, KIB, GIB, "memory from one message over gRPC, gRPC-Web or Connect"),
  jsonDepth: limit("levels", 100, 10, 1000, "the stack from deeply nested JSON"),
  listItems: limit("items", 10_000, 10, 1_000_000, "handlers from long lists anywhere in a request"),
  textLength: limit("characters", MIB, KIB, 256 * MIB, "handlers from long texts anywhere in a request"),
  headerBytes: bytes(16 * KIB, KIB, MIB, "memory from the headers of one request, over HTTP and gRPC"),
  headerCount: limit("items", 100, 20, 2000, "lookups from many headers in one request"),
  headerSeconds: seconds(15, 1, 3600, "connections from clients that send headers slowly or not at all"),
  bodySeconds: seconds(30, 1, 3600, "connections from clients that send a request slowly, measured from its start"),
  idleSeconds: seconds(60, 1, 3600, "connections from idle clients"),
  responseSeconds: seconds(30, 1, 3600, "connections from clients that do not read, in addition to the time by size"),
  responseBytesPerSecond: limit("bytes per second", 16 * KIB, 1, GIB, "connections from clients that read slowly"),
  httpConnections: limit("at once", 10_000, 1, MIB, "file descriptors from all HTTP connections"),
  httpConnectionsPerAddress: limit("at once", 4000, 1, MIB, "other callers from one address, over HTTP"),
  grpcConnections: limit("at once", 10_000, 1, MIB, "file descriptors from all gRPC connections"),
  grpcConnectionsPerAddress: limit("at once", 4000, 1, MIB, "other callers from one address, over gRPC"),
  grpcStreams: limit("at once", 256, 1, 100_000, "memory from the streams of one gRPC connection"),
  calls: limit("at once", 10_000, 1, MIB, "memory from all calls"),
  callsPerKey: limit("at once", 1000, 1, MIB, "other callers from one admin, user, node or anonymous address"),
  loginFailures: limit("attempts", 10, 1, 10_000, "a secret from being guessed from one address"),
  loginFailuresPerAddress: limit("attempts", 50, 1, 100_000, "all secrets from being guessed from one address"),
  loginSeconds: seconds(300, 1, 86_400, "secrets: the time after which failed attempts are forgotten"),
  loginFailuresTotal: limit("attempts", 1000, 1, 1_000_000, "all secrets from guesses from everywhere: by a delay"),
  writeIdleMilliseconds: limit(
    "milliseconds",
    1000,
    10,
    5000,
    "all other writes from a handler that holds the writer and runs no statement",
  ),
  pluginStartSeconds: seconds(30, 1, 3600, "the start from a plugin whose import or set-up does not end"),
} as const satisfies Readonly<Record<string, LimitDefinition>>;

export type LimitName = keyof typeof LIMIT_TABLE;

/** The limits of one installation. */
export type Limits = Readonly<Record<LimitName, number>>;

const NAMES = Object.keys(LIMIT_TABLE) as LimitName[];

export const DEFAULT_LIMITS: Limits = limitsOf((name) => LIMIT_TABLE[name].default);

/**
 * Returns the limits of an installation, with defaults for those that it does not set.
 *
 * @throws StartupError that names every limit out of range
 */
export function readLimits(settings: Readonly<Partial<Record<LimitName, number | undefined>>> = {}): Limits {
  const limits = limitsOf((name) => settings[name] ?? LIMIT_TABLE[name].default);
  const errors = NAMES.flatMap((name) => {
    const { min, max, unit } = LIMIT_TABLE[name];
    const value = limits[name];
    const isAllowed = Number.isSafeInteger(value) && value >= min && value <= max;
    return isAllowed ? [] : [`limits.${name}: must be from ${min} to ${max} ${unit}, got ${value}`];
  });
  if (limits.anonymousBodyBytes > limits.httpBodyBytes && settings.anonymousBodyBytes !== undefined) {
    errors.push(`limits.anonymousBodyBytes: must be at most httpBodyBytes, which is ${limits.httpBodyBytes}`);
  }
  if (limits.bodiesBytes < limits.httpBodyBytes) {
    errors.push(`limits.bodiesBytes: must be at least httpBodyBytes, which is ${limits.httpBodyBytes}`);
  }
  if (errors.length > 0) throw new StartupError(errors);
  return limits;
}

function limitsOf(value: (name: LimitName) => number): Limits {
  return Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<LimitName, number>;
}

function limit(
  unit: LimitDefinition["unit"],
  value: number,
  min: number,
  max: number,
  protects: string,
): LimitDefinition {
  return { default: value, min, max, unit, protects };
}

function bytes(value: number, min: number, max: number, protects: string): LimitDefinition {
  return limit("bytes", value, min, max, protects);
}

function seconds(value: number, min: number, max: number, protects: string): LimitDefinition {
  return limit("seconds", value, min, max, protects);
}
