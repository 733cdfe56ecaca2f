import type { NodePriceTier } from "../node_price_item/contract.ts";
import type { BandwidthStep, PlanCharge } from "../plan/contract.ts";

/** The prices of traffic by region. */
export interface RegionPricing {
  readonly priceType: "region";
  /** The tiers, sorted by descending lower bound. */
  readonly tiers: readonly NodePriceTier[];
  /** The price per gigabit in millionths of the currency unit, by region and price item. */
  readonly prices: ReadonlyMap<string, bigint>;
}

/** The pricing of a server: that of its plan, of the installation, or of regions. */
export type Pricing = PlanCharge | RegionPricing;

/** The pricings at which a user was charged, which also apply to traffic that is uploaded later. */
export interface Terms {
  /** The pricing of servers without a plan. */
  readonly standard: Pricing;
  /** The pricings of the servers that had traffic. */
  readonly ofServers: ReadonlyMap<bigint, Pricing>;
}

const texts = new WeakMap<Pricing, string>();

/** Returns a pricing as JSON, the same text for equal pricings. */
export function pricingText(pricing: Pricing): string {
  let text = texts.get(pricing);
  if (text === undefined) texts.set(pricing, text = JSON.stringify(plainPricing(pricing)));
  return text;
}

function plainPricing(pricing: Pricing): unknown[] {
  const { priceType } = pricing;
  switch (priceType) {
    case "period":
      return [priceType];
    case "traffic":
      return [priceType, String(pricing.pricePerGB)];
    case "bandwidth": {
      const { percentile, steps } = pricing.bandwidth;
      const plain = steps.map(({ min, max, pricePerMB, totalPrice }) => [min, max, pricePerMB, totalPrice].map(String));
      return [priceType, percentile, plain];
    }
    case "region": {
      const tiers = pricing.tiers.map(({ id, bitsFrom, bitsTo }) => [id, bitsFrom, bitsTo].map(String));
      return [priceType, tiers, [...pricing.prices].map(([key, price]) => [key, String(price)])];
    }
  }
}

/** Returns the pricing of a text of {@link pricingText}. */
export function pricingOfText(text: string): Pricing {
  const [priceType, ...values] = JSON.parse(text) as [Pricing["priceType"], ...unknown[]];
  switch (priceType) {
    case "period":
      return { priceType };
    case "traffic":
      return { priceType, pricePerGB: BigInt(values[0] as string) };
    case "bandwidth": {
      const [percentile, steps] = values as [number, string[][]];
      return { priceType, bandwidth: { percentile, steps: steps.map(stepOf) } };
    }
    case "region": {
      const [tiers, prices] = values as [string[][], [string, string][]];
      return {
        priceType,
        tiers: tiers.map((tier) => {
          const [id, bitsFrom, bitsTo] = tier.map(BigInt) as [bigint, bigint, bigint];
          return { id, bitsFrom, bitsTo };
        }),
        prices: new Map(prices.map(([key, price]) => [key, BigInt(price)])),
      };
    }
  }
}

function stepOf(values: string[]): BandwidthStep {
  const [min, max, pricePerMB, totalPrice] = values.map(BigInt) as [bigint, bigint, bigint, bigint];
  return { min, max, pricePerMB, totalPrice };
}
