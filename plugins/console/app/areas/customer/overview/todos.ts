import { listOf } from "../../../parts/lists/list_of.ts";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { plural } from "../../../texts/mod.ts";
import { daysUntil, dayText, moneyText, relativeDays } from "../../../texts/amounts.ts";
import type { Bill, Order } from "../../../parts/money/models.ts";
import type { Domain, UserPlan } from "../models.ts";
import { balanceOf, placeOf } from "../reader.ts";
import { texts } from "./texts.ts";

/** Something that the customer should do, and where. */
export interface Todo {
  readonly kind: "bad" | "warn";
  readonly text: string;
  readonly action: string;
  /** Empty if no page is offered for it. */
  readonly link: string;
}

const SOON_DAYS = 14;
const MAX_EACH = 5;
const PAGE = { offset: 0n, size: BigInt(MAX_EACH) };

/** Returns what the customer should do, what is urgent first. */
export async function loadTodos(signal: AbortSignal): Promise<readonly Todo[]> {
  const parts = await Promise.all([
    serving(signal),
    money(signal),
    plans(signal),
    domains(signal),
    certificates(signal),
  ]);
  const todos = parts.flat();
  return [...todos.filter(({ kind }) => kind === "bad"), ...todos.filter(({ kind }) => kind === "warn")];
}

async function serving(signal: AbortSignal): Promise<Todo[]> {
  if (!mayCall("UserService/checkUserServersState")) return [];
  const { isEnabled } = await callPath("UserService/checkUserServersState", {}, signal);
  if (isEnabled === true) return [];
  const { user } = await callPath("UserService/findEnabledUser", {}, signal) as { user?: { isVerified: boolean } };
  if (user?.isVerified === false) return [{ kind: "warn", text: texts.value.waiting, action: "", link: "" }];
  return [{ kind: "bad", text: texts.value.notServed, action: texts.value.view, link: placeOf("UserBill") }];
}

async function money(signal: AbortSignal): Promise<Todo[]> {
  const { value: text } = texts;
  const [bills, orders, balance] = await Promise.all([
    listOf<Bill>("UserBillService/listUserBills", "userBills", { paidFlag: 0, ...PAGE }, signal),
    listOf<Order>("UserOrderService/listEnabledUserOrders", "userOrders", { status: "none", ...PAGE }, signal),
    balanceOf(signal),
  ]);
  const billing = (place: string) => linkTo(["billing", place]);
  const debt = balance?.debt ?? 0;
  return [
    ...(debt > 0
      ? [{
        kind: "bad" as const,
        text: fill(text.debt, { amount: moneyText(debt) }),
        action: text.addMoney,
        link: billing("account"),
      }]
      : []),
    ...bills.map(({ code, amount, isOverdue }): Todo => ({
      kind: isOverdue ? "bad" : "warn",
      text: fill(isOverdue ? text.overdueBill : text.payBill, { code, amount: moneyText(amount) }),
      action: text.pay,
      link: billing("bills"),
    })),
    ...orders.filter(({ canPay }) => canPay).map(({ code, amount, currency }): Todo => ({
      kind: "warn",
      text: fill(text.waitingOrder, { code, amount: moneyText(amount, currency) }),
      action: text.pay,
      link: billing("orders"),
    })),
  ];
}

async function plans(signal: AbortSignal): Promise<Todo[]> {
  const path = "UserPlanService/listEnabledUserPlans";
  const [ending, ended] = await Promise.all([
    listOf<UserPlan>(path, "userPlans", { isAvailable: true, expiringDays: SOON_DAYS, ...PAGE }, signal),
    listOf<UserPlan>(path, "userPlans", { isExpired: true, ...PAGE }, signal),
  ]);
  // an old plan without sites stops nothing
  const missed = ended.filter(({ servers }) => servers.length > 0);
  return [...missed, ...ending].map(({ name, dayTo }): Todo => {
    const days = daysUntil(dayTo);
    const values = { name, day: dayText(dayTo), when: relativeDays(days) };
    return {
      kind: days < 0 ? "bad" : "warn",
      text: fill(days < 0 ? texts.value.planEnded : texts.value.planEnds, values),
      action: texts.value.renew,
      link: linkTo(["plans"]),
    };
  });
}

async function domains(signal: AbortSignal): Promise<Todo[]> {
  const { value: text } = texts;
  const found = await listOf<Domain>("NSDomainService/listNSDomains", "nsDomains", { offset: 0n, size: 1000n }, signal);
  const open = found.filter(({ status }) => status === "none" || status === "rejected");
  const more = open.length - MAX_EACH;
  return [
    ...open.slice(0, MAX_EACH).map(({ id, name, status }): Todo => ({
      kind: "warn",
      text: fill(status === "rejected" ? text.rejectedDomain : text.verifyDomain, { name }),
      action: text.verify,
      link: linkTo(["resource", "NSDomain", id]),
    })),
    ...(more > 0
      ? [{
        kind: "warn" as const,
        text: plural(text.moreDomains, more),
        action: text.view,
        link: placeOf("NSDomain"),
      }]
      : []),
  ];
}

async function certificates(signal: AbortSignal): Promise<Todo[]> {
  if (!mayCall("SSLCertService/countSSLCerts")) return [];
  const request = { expiringDays: SOON_DAYS, isAvailable: true };
  const { count } = await callPath("SSLCertService/countSSLCerts", request, signal);
  if (count === 0n) return [];
  const text = plural(texts.value.certificateEnds, Number(count));
  return [{ kind: "warn", text, action: texts.value.view, link: placeOf("SSLCert") }];
}
