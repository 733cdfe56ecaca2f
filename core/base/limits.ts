import { StartupError } from "./startup_error.ts";

/** One limit: its default, what it may be set to, and what it is for. */
export interface LimitDefinition {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly unit: "bytes" | "characters" | "items" | "levels" | "seconds" | "bytes a second" | "at once" | "failures";
  readonly protects: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** Every limit of an installation, under the name that it has in `limits` of the installation manifest. */
export const LIMIT_TABLE = {
  httpBodyBytes: bytes(32 * MIB, KIB, GIB, "memory from the body of one HTTP request, also as it is decompressed"),
  anonymousBodyBytes: bytes(64 * KIB, KIB, GIB, "memory from bodies of strangers: operations that need no token"),
  bodiesBytes: bytes(512 * MIB, MIB, 2 * GIB, "memory from all HTTP bodies that are held at the same time"),
  grpcMessageBytes: bytes(4 * MIB, KIB, GIB, "memory from one message over gRPC, gRPC-Web or Connect"),
  jsonDepth: limit("levels", 100, 10, 1000, "the stack from JSON that nests"),
  listItems: limit("items", 10_000, 10, 1_000_000, "handlers from long lists, wherever they stand in a request"),
  textLength: limit("characters", MIB, KIB, 256 * MIB, "handlers from long texts, wherever they stand in a request"),
  headerBytes: bytes(16 * KIB, KIB, MIB, "memory from the headers of one request, over HTTP and gRPC"),
  headerCount: limit("items", 100, 20, 2000, "lookups from many headers in one request"),
  headerSeconds: seconds(15, 1, 3600, "connections from clients that send their headers slowly, or nothing"),
  bodySeconds: seconds(30, 1, 3600, "connections from clients that send a request slowly, measured from its start"),
  idleSeconds: seconds(60, 1, 3600, "connections from clients that have nothing more to ask"),
  responseSeconds: seconds(
    30,
    1,
    3600,
    "answers from clients that do not take them, besides the time that their size may need",
  ),
  responseBytesPerSecond: limit("bytes a second", 16 * KIB, 1, GIB, "large answers from clients that take them slowly"),
  httpConnections: limit("at once", 10_000, 1, MIB, "file descriptors from HTTP connections in all"),
  httpConnectionsPerAddress: limit("at once", 4000, 1, MIB, "the other callers from one address, over HTTP"),
  grpcConnections: limit("at once", 10_000, 1, MIB, "file descriptors from gRPC connections in all"),
  grpcConnectionsPerAddress: limit("at once", 4000, 1, MIB, "the other callers from one address, over gRPC"),
  grpcStreams: limit("at once", 256, 1, 100_000, "memory from the streams of one gRPC connection"),
  calls: limit("at once", 10_000, 1, MIB, "memory from calls in all"),
  callsPerKey: limit("at once", 1000, 1, MIB, "the other callers from one admin, user, node or unknown address"),
  loginFailures: limit("failures", 10, 1, 10_000, "a secret from being guessed, for each access key or username"),
  loginFailuresPerAddress: limit("failures", 50, 1, 100_000, "all secrets from being guessed from one address"),
  loginSeconds: seconds(300, 1, 86_400, "secrets: how long it takes until failures are wholly forgotten"),
} as const satisfies Readonly<Record<string, LimitDefinition>>;

export type LimitName = keyof typeof LIMIT_TABLE;

/** The limits of one installation. */
export type Limits = Readonly<Record<LimitName, number>>;

const NAMES = Object.keys(LIMIT_TABLE) as LimitName[];

export const DEFAULT_LIMITS: Limits = limitsOf((name) => LIMIT_TABLE[name].default);

/**
 * The limits that an installation chose, defaults filled in.
 *
 * @throws StartupError naming every limit that is out of its range
 */
export function readLimits(settings: Readonly<Partial<Record<LimitName, number | undefined>>> = {}): Limits {
  const limits = limitsOf((name) => settings[name] ?? LIMIT_TABLE[name].default);
  const faults = NAMES.flatMap((name) => {
    const { min, max, unit } = LIMIT_TABLE[name];
    const value = limits[name];
    const isAllowed = Number.isSafeInteger(value) && value >= min && value <= max;
    return isAllowed ? [] : [`limits.${name}: must be from ${min} to ${max} ${unit}, got ${value}`];
  });
  if (limits.anonymousBodyBytes > limits.httpBodyBytes && settings.anonymousBodyBytes !== undefined) {
    faults.push(`limits.anonymousBodyBytes: must be at most httpBodyBytes, which is ${limits.httpBodyBytes}`);
  }
  if (limits.bodiesBytes < limits.httpBodyBytes) {
    faults.push(`limits.bodiesBytes: must be at least httpBodyBytes, which is ${limits.httpBodyBytes}`);
  }
  if (faults.length > 0) throw new StartupError(faults);
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
