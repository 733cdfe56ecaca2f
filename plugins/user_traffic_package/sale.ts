import { type Call, type Clock, idField, numberField, unixSeconds } from "edgehelm";
import { addMonths, today } from "edgehelm/fields";
import type { NodeRegions } from "../node_region/contract.ts";
import type { TrafficPackages } from "../traffic_package/contract.ts";
import type { TrafficPackagePeriods } from "../traffic_package_period/contract.ts";
import type { TrafficPackagePrices } from "../traffic_package_price/contract.ts";
import type { Users } from "../user/contract.ts";
import type { UserAccounts } from "../user_account/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { errors } from "./errors.ts";
import { TRAFFIC_PACKAGES } from "./quota.ts";
import type { UserTrafficPackageStore } from "./store.ts";

const MAX_COUNT = 100;

/** The contracts of what packages are made of and paid with. */
export interface SaleDeps {
  readonly packages: TrafficPackages;
  readonly periods: TrafficPackagePeriods;
  readonly prices: TrafficPackagePrices;
  readonly regions: NodeRegions;
  readonly users: Users;
  readonly accounts: UserAccounts;
  readonly quotas: UserQuotas | undefined;
}

/** The packages that a request names. */
export interface PackageRequest {
  readonly trafficPackageId: bigint;
  readonly nodeRegionId: bigint;
  readonly trafficPackagePeriodId: bigint;
  readonly count: number;
}

/** Packages that can be given to a user. */
export interface Offer {
  readonly trafficPackageId: bigint;
  readonly nodeRegionId: bigint;
  readonly trafficPackagePeriodId: bigint;
  readonly count: number;
  readonly totalBytes: bigint;
  readonly periodCount: number;
  readonly periodUnit: string;
  readonly months: number;
  /** A human-readable description, such as `2 packages of 100 gb for 1 month in "Europe"`. */
  readonly text: string;
}

/** Sells and gives packages. */
export class PackageSale {
  readonly #store: UserTrafficPackageStore;
  readonly #deps: SaleDeps;
  readonly #clock: Clock;

  constructor(store: UserTrafficPackageStore, deps: SaleDeps, clock: Clock) {
    this.#store = store;
    this.#deps = deps;
    this.#clock = clock;
  }

  /** Checks what a request names. */
  async offer(call: Call, request: PackageRequest): Promise<Offer> {
    const { packages, periods, regions } = this.#deps;
    const count = numberField("count", request.count, { min: 0, max: MAX_COUNT }) || 1;
    const trafficPackageId = idField("trafficPackageId", request.trafficPackageId);
    const nodeRegionId = idField("nodeRegionId", request.nodeRegionId);
    const trafficPackagePeriodId = idField("trafficPackagePeriodId", request.trafficPackagePeriodId);
    await packages.require(call, "trafficPackageId", trafficPackageId);
    await regions.requireRegion(call, "nodeRegionId", nodeRegionId);
    await periods.require(call, "trafficPackagePeriodId", trafficPackagePeriodId);
    const { size, unit, bytes } = (await packages.summaries(call, [trafficPackageId])).get(trafficPackageId)!;
    const period = (await periods.summaries(call, [trafficPackagePeriodId])).get(trafficPackagePeriodId)!;
    const { name } = (await regions.summaries(call, [nodeRegionId])).get(nodeRegionId)!;
    return {
      ...{ trafficPackageId, nodeRegionId, trafficPackagePeriodId, count },
      ...{ totalBytes: bytes, periodCount: period.count, periodUnit: period.unit, months: period.months },
      text: `${count} ${count === 1 ? "package" : "packages"} of ${size} ${unit} for ${period.count} ${period.unit} ` +
        `in "${name}"`,
    };
  }

  /** Returns the price of an offer in hundredths. Refuses what is turned off or has no price. */
  async priceOf(call: Call, offer: Offer): Promise<bigint> {
    const { packages, periods, regions, prices } = this.#deps;
    const sold = (await packages.summaries(call, [offer.trafficPackageId])).get(offer.trafficPackageId)!;
    const period = (await periods.summaries(call, [offer.trafficPackagePeriodId])).get(offer.trafficPackagePeriodId)!;
    const region = (await regions.summaries(call, [offer.nodeRegionId])).get(offer.nodeRegionId)!;
    const [size, time] = [`${sold.size} ${sold.unit}`, `${period.count} ${period.unit}`];
    if (!sold.isOn) throw errors.off("package of", size);
    if (!period.isOn) throw errors.off("period of", time);
    if (!region.isOn) throw errors.off("region", `"${region.name}"`);
    const price = await prices.priceOf(call, offer);
    if (price === 0n) throw errors.not_sold(size, time, region.name);
    return price * BigInt(offer.count);
  }

  /** Charges the account of a user for an offer and gives the packages to the user. Returns their ids. */
  async sell(call: Call, userId: bigint, offer: Offer, price: bigint): Promise<bigint[]> {
    await this.#checkRecipient(call, userId, offer);
    await this.#deps.accounts.book(call, {
      userId,
      delta: -price,
      eventType: "buyTrafficPackage",
      description: offer.text,
    });
    return await this.#insert(call, userId, offer);
  }

  /** Gives packages to a user, valid from today. Returns their ids. */
  async give(call: Call, userId: bigint, offer: Offer): Promise<bigint[]> {
    await this.#checkRecipient(call, userId, offer);
    return await this.#insert(call, userId, offer);
  }

  async #checkRecipient(call: Call, userId: bigint, offer: Offer): Promise<void> {
    await this.#deps.users.requireUser(call, "userId", userId);
    const count = async () => (await this.#store.countOfUser.one(call, { userId })).count;
    await this.#deps.quotas?.require(call, TRAFFIC_PACKAGES, userId, offer.count, count);
  }

  async #insert(call: Call, userId: bigint, offer: Offer): Promise<bigint[]> {
    const dayFrom = today(this.#clock);
    const { months, count: _count, text: _text, ...columns } = offer;
    const days = { dayFrom, dayTo: addMonths(dayFrom, months), createdAt: unixSeconds(this.#clock) };
    const ids: bigint[] = [];
    for (let made = 0; made < offer.count; made++) {
      ids.push((await this.#store.insert.one(call, { userId, ...columns, ...days })).id);
    }
    return ids;
  }
}
