import type { OutboundInit, OutboundTarget } from "../base/outbound.ts";

const MIB = 1024 * 1024;
const MAX_BYTES = 1024 * MIB;

/** A limit that plugins may choose. */
interface Limit {
  readonly initial: number;
  readonly min: number;
  readonly max: number;
}

const OF_REQUESTS = {
  timeoutMilliseconds: { initial: 30_000, min: 1, max: 600_000 },
  maxBytes: { initial: MIB, min: 0, max: MAX_BYTES },
  maxRedirects: { initial: 5, min: 0, max: 10 },
} as const;
const OF_CONNECTIONS = {
  timeoutMilliseconds: { initial: 60_000, min: 1, max: 3_600_000 },
  maxBytes: { initial: 16 * MIB, min: 0, max: MAX_BYTES },
} as const;

/** @throws RangeError that names the option, since only the code of a plugin chooses it */
export function requestLimits(init: OutboundInit): Record<keyof typeof OF_REQUESTS, number> {
  return limitsOf(OF_REQUESTS, init);
}

/** @throws RangeError that names the option */
export function connectionLimits(target: OutboundTarget): Record<keyof typeof OF_CONNECTIONS, number> {
  return limitsOf(OF_CONNECTIONS, target);
}

function limitsOf<Name extends string>(
  limits: Readonly<Record<Name, Limit>>,
  given: { readonly [Key in NoInfer<Name>]?: number },
): Record<Name, number> {
  const entries = (Object.entries(limits) as [Name, Limit][]).map(([name, { initial, min, max }]) => {
    const value = given[name] ?? initial;
    if (Number.isInteger(value) && value >= min && value <= max) return [name, value] as const;
    throw new RangeError(`${name}: must be a whole number from ${min} to ${max}, got ${value}`);
  });
  return Object.fromEntries(entries) as Record<Name, number>;
}
