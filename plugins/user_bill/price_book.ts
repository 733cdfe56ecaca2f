import type { Call } from "edgehelm";
import type { ChargeStore } from "./store_charges.ts";
import { type Pricing, pricingOfText, pricingText, type Terms } from "./pricing.ts";

/** The key of the pricing of servers without a plan, among those of servers. */
const STANDARD = "";

/** Keeps each pricing once, so that what was charged can name it by a number. */
export class PriceBook {
  readonly #store: ChargeStore;
  readonly #ids = new Map<string, bigint>();
  readonly #pricings = new Map<string, Pricing>();

  constructor(store: ChargeStore) {
    this.#store = store;
  }

  /** Stores the pricings of terms that are new. Call it in the transaction that stores their texts. */
  async enter(call: Call, terms: readonly Terms[]): Promise<void> {
    const texts = new Set(
      terms.flatMap(({ standard, ofServers }) => [standard, ...ofServers.values()].map(pricingText)),
    );
    const unknown = [...texts].filter((text) => !this.#ids.has(text));
    if (unknown.length === 0) return;
    await this.#store.addPricings.run(call, { texts: unknown });
    for (const { id, text } of await this.#store.pricingsOfTexts.all(call, { texts: unknown })) this.#ids.set(text, id);
  }

  /** Returns terms as they are stored. Their pricings must have been entered. */
  textOf({ standard, ofServers }: Terms): string {
    const idOf = (pricing: Pricing) => Number(this.#ids.get(pricingText(pricing)));
    const entries = [...ofServers].map(([serverId, pricing]) => [String(serverId), idOf(pricing)] as const);
    return JSON.stringify(Object.fromEntries([[STANDARD, idOf(standard)], ...entries]));
  }

  /** Returns the terms of texts; a server in several of them has the terms of the first. Undefined without any. */
  async termsOf(call: Call, stored: readonly string[]): Promise<Terms | undefined> {
    const ids = new Map<string, string>();
    for (const text of stored) {
      for (const [key, id] of Object.entries(JSON.parse(text) as Record<string, number>)) {
        if (!ids.has(key)) ids.set(key, String(id));
      }
    }
    const unknown = [...new Set(ids.values())].filter((id) => !this.#pricings.has(id));
    const found = unknown.length === 0 ? [] : await this.#store.pricingsOfIds.all(call, { ids: unknown.map(BigInt) });
    for (const { id, text } of found) this.#pricings.set(String(id), pricingOfText(text));
    const pricings = [...ids].map(([key, id]) => [key, this.#pricings.get(id)!] as const);
    const standard = pricings.find(([key]) => key === STANDARD)?.[1];
    if (standard === undefined) return undefined;
    const ofServers = pricings.filter(([key]) => key !== STANDARD);
    return { standard, ofServers: new Map(ofServers.map(([key, pricing]) => [BigInt(key), pricing])) };
  }
}
