import { amountText } from "edgehelm/fields";
import { Random } from "../../harness/random.ts";
import type { Facts, Prices, Served } from "./facts.ts";
import { amountOf, BillModel, type ModelBill } from "./model.ts";
import { BillWorld } from "./world.ts";

const ZONES = [
  ...["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Chatham"],
  ...["America/St_Johns", "Africa/Casablanca", "Asia/Shanghai", "America/Havana"],
];
const USERS = [1n, 2n, 3n, 4n];
const SERVERS_OF_USER = 2n;
const START = Date.UTC(2026, 0, 20, 15) / 1000;
const DAY = 86_400;
const MAX_LATE_DAYS = 45;
/** More than the bills of a user in a step. */
const COMPARED_BILLS = 60;
/** The months of one installation, after which another begins in another time zone. */
const MONTHS_OF_WORLD = 50;
/** Users differ in plans, terms and traffic: each has months of its own. */
const MONTHS_OF_USERS = MONTHS_OF_WORLD * USERS.length;

/** The result of a campaign. */
export interface Campaign {
  readonly months: number;
  readonly bills: number;
  readonly corrections: number;
  readonly credits: number;
  /** Descriptions of the first differences. */
  readonly differences: readonly string[];
}

/**
 * Compares bills of random months with the model.
 *
 * @param months months of users, of which four share an installation
 */
export async function compareMonths(
  months: number,
  seed: number,
  progress: (months: number) => void = () => {},
): Promise<Campaign> {
  const random = new Random(seed);
  const result = { months: 0, bills: 0, corrections: 0, credits: 0, differences: [] as string[] };
  while (result.months < months && result.differences.length === 0) {
    const count = Math.min(MONTHS_OF_USERS, months - result.months);
    const bills = await liveThrough(
      Math.ceil(count / USERS.length),
      random,
      ZONES[(seed + result.months / MONTHS_OF_USERS) % ZONES.length]!,
      result.differences,
    );
    const lines = bills.flatMap(({ corrections }) => corrections.filter(({ amount }) => amount !== 0n));
    result.months += count;
    result.bills += bills.length;
    result.corrections += lines.length;
    result.credits += lines.filter(({ amount }) => amount < 0n).length;
    progress(result.months);
  }
  return result;
}

async function liveThrough(
  months: number,
  random: Random,
  timeZone: string,
  differences: string[],
): Promise<readonly ModelBill[]> {
  const facts = randomFacts(random, timeZone);
  await using world = await BillWorld.open(facts, START);
  const model = new BillModel(facts, START);
  await world.run();
  model.run(START);
  const end = START + months * 30.5 * DAY;
  for (let now = START; now < end;) {
    const step = 1 + random.below(12 * DAY);
    const served = random.list(
      12,
      () => randomTraffic(random, facts, now + step, random.below(4) === 0 ? MAX_LATE_DAYS * DAY : step),
    );
    now += step;
    world.clock.advance(step);
    if (served.length > 0) await world.upload(served);
    for (const one of served) model.add(one);
    changeFacts(random, facts, now);
    await world.run();
    model.run(now);
    for (const userId of USERS) differences.push(...await differencesOf(world, model, userId, random));
    if (differences.length > 0) break;
  }
  return model.bills;
}

async function differencesOf(world: BillWorld, model: BillModel, userId: bigint, random: Random): Promise<string[]> {
  const found = await world.bills(userId, COMPARED_BILLS);
  const expected = model.bills.filter((bill) => bill.userId === userId);
  const texts = expected.slice(-COMPARED_BILLS).reverse().map(expectedText);
  const seen = found.map(({ pricePeriod, dayFrom, dayTo, amount, description }) =>
    `${pricePeriod} ${dayFrom} ${dayTo} ${amount}: ${description}`
  );
  for (const bill of found) if (bill.canPay && random.below(3) === 0) await world.pay(bill);
  return texts.length !== seen.length
    ? [`user ${userId}: ${seen.length} bills instead of ${texts.length}: ${seen[0]} instead of ${texts[0]}`]
    : texts.flatMap((text, index) => text === seen[index] ? [] : [`user ${userId}: ${seen[index]} instead of ${text}`]);
}

function expectedText(bill: ModelBill): string {
  const days = [bill.from, bill.to].map((day) => day.replaceAll("-", "")).join(" ");
  const corrections = bill.corrections.filter(({ amount }) => amount !== 0n).map(({ from, to, amount }) =>
    `; correction of ${from === to ? from : `${from} to ${to}`}: ${amount > 0n ? "+" : ""}${amountText(amount)}`
  );
  const sites = `${amountText(bill.bytes * 100n / 1024n ** 3n)} GB of ${bill.servers} ${
    bill.servers === 1 ? "site" : "sites"
  }`;
  return `${bill.pricePeriod} ${days} ${Number(amountText(amountOf(bill)))}: ${sites}${corrections.join("")}`;
}

function randomFacts(random: Random, timeZone: string): Facts {
  const facts: Facts = {
    timeZone,
    graceDays: random.below(5),
    perGB: random.below(2) === 0 ? 0n : price(random),
    perMB: price(random),
    percentile: random.oneOf([0, 50, 90, 95, 99, 100]) || 95,
    users: new Map(USERS.map((id) => [id, { priceType: "", pricePeriod: "" }])),
    owners: new Map(),
    plans: new Map(),
    tiers: [],
    perGigabit: new Map(),
  };
  for (const userId of USERS) {
    for (let index = 1n; index <= SERVERS_OF_USER; index++) facts.owners.set(userId * 10n + index, userId);
  }
  changePrices(random, facts);
  return facts;
}

function price(random: Random): bigint {
  return BigInt(random.oneOf([1, 333_333, 20_000, 1_000_000, 7_654_321, random.below(5_000_000) + 1]));
}

/** Traffic costs less in higher tiers, so that more of it may cost less in sum. */
function changePrices(random: Random, facts: Facts): void {
  const bound = BigInt(random.below(100) + 1) * 10n ** 9n;
  facts.tiers = [{ id: 2n, bitsFrom: bound, bitsTo: 0n }, { id: 1n, bitsFrom: 0n, bitsTo: bound }];
  facts.perGigabit = new Map(
    ["1", "2"].flatMap((region) => [[`${region} 1`, price(random)], [`${region} 2`, price(random)]] as const),
  );
}

function randomTraffic(random: Random, facts: Facts, until: number, span: number): Served {
  const serverId = random.oneOf([...facts.owners.keys()]);
  return {
    at: Math.max(until - 1 - random.below(span), START - 40 * DAY),
    userId: facts.owners.get(serverId)!,
    serverId,
    regionId: BigInt(random.below(3)),
    bytes: random.oneOf([1n, 5n * 2n ** 20n, 2n ** 30n, BigInt(random.below(2 ** 31)) * BigInt(1 + random.below(40))]) +
      0n,
  };
}

function changeFacts(random: Random, facts: Facts, now: number): void {
  if (random.below(6) === 0) changePrices(random, facts);
  if (random.below(4) === 0) {
    const terms = facts.users.get(random.oneOf(USERS))!;
    terms.priceType = random.oneOf(["", "traffic", "bandwidth"]);
    terms.pricePeriod = random.oneOf(["", "daily", "monthly"]);
  }
  if (random.below(4) === 0) {
    const serverId = random.oneOf([...facts.owners.keys()]);
    const dayTo = new Date((now + (random.below(60) - 20) * DAY) * 1000).toISOString().slice(0, 10);
    facts.plans.set(serverId, { prices: randomPlan(random), dayTo });
  }
  if (random.below(8) === 0) facts.plans.delete(random.oneOf([...facts.owners.keys()]));
}

function randomPlan(random: Random): Prices {
  const bound = BigInt(random.below(2_000_000) + 1);
  return random.oneOf<Prices>([
    { kind: "prepaid" },
    { kind: "traffic", perGB: price(random) },
    {
      kind: "bandwidth",
      percentile: random.oneOf([100, 99, 95]),
      steps: [
        { min: 0n, max: bound, pricePerMB: price(random), totalPrice: 0n },
        { min: bound, max: 0n, pricePerMB: 0n, totalPrice: price(random) },
      ],
    },
  ]);
}
