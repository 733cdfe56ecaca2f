import { type Call, type Clock, type Logger, unixSeconds } from "edgehelm";
import type { OrderMethods, PaymentProvider } from "../order_method/contract.ts";
import type { Refunds } from "./refunds.ts";
import type { RefundRow, RefundStore } from "./store_refunds.ts";

const BATCH_SIZE = 50;
const FIRST_DELAY_SECONDS = 30n;
const MAX_DELAY_SECONDS = 6n * 3600n;
const MAX_PROBLEM = 200;

/** The dependencies of the queue. */
export interface RefundQueueDeps {
  readonly refunds: RefundStore;
  readonly books: Refunds;
  readonly methods: OrderMethods;
  readonly providers: readonly PaymentProvider[];
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Asks providers for the refunds that wait, each until its provider responds. The code of the refund is the same in every
 * attempt, so that a provider that took it counts it once.
 */
export async function sendRefunds(call: Call, deps: RefundQueueDeps): Promise<void> {
  const now = unixSeconds(deps.clock);
  for (const refund of await deps.refunds.due.all(call, { now, limit: BATCH_SIZE })) await send(call, refund, deps);
}

async function send(
  call: Call,
  refund: RefundRow,
  { refunds, books, methods, providers, clock, log }: RefundQueueDeps,
): Promise<void> {
  const { id, code, orderCode, orderMethodId, attempts, amount, currency, reason } = refund;
  const nextAt = unixSeconds(clock) + delayAfter(attempts);
  const claimed = await call.transact((inner) => refunds.claim.run(inner, { id, attempts, nextAt }));
  if (claimed === 0n) return;
  const summary = (await methods.summaries(call, [orderMethodId])).get(orderMethodId);
  const provider = providers.find((candidate) => candidate.code === summary?.parentCode);
  const method = summary && await methods.settings(call, orderMethodId);
  if (method === undefined || provider?.refund === undefined) {
    const problem = "the method makes no refunds: pay it back by hand, and finish it";
    await call.transact((inner) => refunds.setProblem.run(inner, { id, problem }));
    return;
  }
  try {
    const response = await provider.refund(call, method, { code, orderCode, amount, currency, reason });
    log.info("refund", { code, orderCode, isTaken: response.isTaken });
    await call.transact(async (inner) => {
      if (response.isTaken) return void await refunds.setSent.run(inner, { id });
      const current = await refunds.withCode.first(inner, { code });
      if (current?.status === "waiting") await books.fail(inner, current, response.problem.slice(0, MAX_PROBLEM));
    });
  } catch (error) {
    const problem = String(error instanceof Error ? error.message : error).slice(0, MAX_PROBLEM);
    log.warn("refund is tried again", { code, orderCode, attempts: String(attempts + 1n), problem });
    await call.transact((inner) => refunds.setProblem.run(inner, { id, problem }));
  }
}

/** Returns the seconds until the next attempt: half a minute, doubled with each attempt, at most six hours. */
function delayAfter(attempts: bigint): bigint {
  const delay = FIRST_DELAY_SECONDS << (attempts < 12n ? attempts : 12n);
  return delay < MAX_DELAY_SECONDS ? delay : MAX_DELAY_SECONDS;
}
