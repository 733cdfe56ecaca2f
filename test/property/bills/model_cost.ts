import type { Prices, Served } from "./facts.ts";

/** A fraction of hundredths of the currency unit. */
interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

function plus(a: Fraction, b: Fraction): Fraction {
  return { above: a.above * b.below + b.above * a.below, below: a.below * b.below };
}

/** Rounds half up. */
export function rounded({ above, below }: Fraction): bigint {
  return (2n * above + below) / (2n * below);
}

/** Returns what traffic costs, each server at its prices. Prices are in millionths, of which a hundredth has 10000. */
export function costOf(
  served: readonly Served[],
  pricesOf: (serverId: bigint) => Prices,
  samplesInRange: number,
): Fraction {
  let total: Fraction = { above: 0n, below: 1n };
  const add = (above: bigint, below: bigint) => total = plus(total, { above, below: below * 10_000n });
  const inRegions = new Map<string, { bytes: bigint; prices: Prices }>();
  for (const [serverId, own] of Map.groupBy(served, (one) => one.serverId)) {
    const prices = pricesOf(serverId);
    const bytes = own.reduce((sum, one) => sum + one.bytes, 0n);
    if (prices.kind === "traffic") add(bytes * prices.perGB, 1024n ** 3n);
    if (prices.kind === "regions") {
      for (const { regionId, bytes } of own) {
        const found = inRegions.get(String(regionId));
        inRegions.set(String(regionId), { prices, bytes: bytes + (found?.bytes ?? 0n) });
      }
    }
    if (prices.kind === "bandwidth") {
      const perSecond = percentileOf(own, prices.percentile, samplesInRange);
      const step = prices.steps.find(({ min, max }) => {
        const millionthsOfMB = perSecond * 1_000_000n;
        return millionthsOfMB >= min * 1024n ** 2n && (max === 0n || millionthsOfMB < max * 1024n ** 2n);
      });
      if (step !== undefined && step.totalPrice > 0n) add(step.totalPrice, 1n);
      else if (step !== undefined) add(perSecond * step.pricePerMB, 1024n ** 2n);
    }
  }
  for (const [regionId, { bytes, prices }] of inRegions) {
    if (prices.kind !== "regions") continue;
    const tier = prices.tiers.find(({ bitsFrom, bitsTo }) =>
      bytes * 8n >= bitsFrom && (bitsTo === 0n || bytes * 8n < bitsTo)
    );
    add(bytes * 8n * (prices.perGigabit.get(`${regionId} ${tier?.id}`) ?? 0n), 10n ** 9n);
  }
  return total;
}

/** Returns the whole bytes per second that a percentage of all five-minute samples do not exceed. */
function percentileOf(served: readonly Served[], percentile: number, count: number): bigint {
  const samples = [...Map.groupBy(served, ({ at }) => Math.floor(at / 300)).values()]
    .map((group) => group.reduce((sum, { bytes }) => sum + bytes, 0n))
    .sort((a, b) => a < b ? -1 : a > b ? 1 : 0);
  const all = [...Array.from({ length: count - samples.length }, () => 0n), ...samples];
  return all[Math.ceil(count * percentile / 100) - 1]! / 300n;
}
