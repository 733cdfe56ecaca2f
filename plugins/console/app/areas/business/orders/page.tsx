import type { JSX } from "preact";
import { filterId, filterValue, setFilters, TextFilter, UserFilter } from "../../../parts/lists/filters.tsx";
import { PagedTable, usePage } from "../../../parts/lists/paged.tsx";
import { Spans } from "../../../parts/lists/spans.tsx";
import { amountOf, orderedText, OrderState } from "../../../parts/money/order_state.tsx";
import { UserLink } from "../../../parts/money/user_link.tsx";
import { State } from "../../../parts/state.tsx";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { relativeTime, time } from "../../../texts/mod.ts";
import { ORDERS, REFUNDS, type UserOrder } from "./order.ts";
import { OrderPage } from "./order_page.tsx";
import { RefundList } from "./refunds.tsx";
import { texts } from "./texts.ts";

const STATES = ["", "none", "doing", "finished", "cancelled"] as const;

/** The orders of all users and their refunds, or one order. */
export default function OrdersPage({ steps: [step] }: { readonly steps: readonly string[] }): JSX.Element {
  if (step !== undefined && step !== "refunds") return <OrderPage key={step} code={step} />;
  const { value: text } = texts;
  const isOfRefunds = step === "refunds" && mayCall(REFUNDS.list);
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
      </div>
      {mayCall(REFUNDS.list) && (
        <div class="tabs" role="navigation" aria-label={text.title}>
          <a href={linkTo(["orders"])} aria-current={isOfRefunds ? undefined : "page"}>{text.orders}</a>
          <a href={linkTo(["orders", "refunds"])} aria-current={isOfRefunds ? "page" : undefined}>{text.refunds}</a>
        </div>
      )}
      <div class="panel">{isOfRefunds ? <RefundList /> : <OrderList />}</div>
    </>
  );
}

function OrderList(): JSX.Element {
  const status = STATES.find((state) => state === filterValue("status")) ?? "";
  const page = usePage<UserOrder>(ORDERS, { status, keyword: filterValue("code"), userId: filterId("user") });
  const { value: text } = texts;
  const columns = [
    { name: text.code },
    { name: text.user },
    { name: text.type },
    { name: text.method },
    { name: text.created },
    { name: text.state },
    { name: text.amount, isNumber: true },
  ];
  return (
    <>
      <div class="filters" role="search">
        <div class="chips">
          <Spans
            offered={STATES.map((state) => [state, text.states[state || "any"]] as const)}
            chosen={status}
            onChoose={(chosen) => setFilters({ status: chosen })}
          />
        </div>
        <TextFilter name="code" label={text.code} />
        <UserFilter label={text.user} emptyText={text.anyUser} />
      </div>
      <PagedTable page={page} empty={text.noOrders} columns={columns}>
        {(order) => (
          <tr key={order.code}>
            <td>
              <a class="link main mono" href={linkTo(["orders", order.code])}>{order.code}</a>
            </td>
            <td>
              <UserLink user={order.user} id={order.userId} />
            </td>
            <td>{orderedText(order)}</td>
            <td>{order.orderMethod?.name}</td>
            <td title={time(order.createdAt)}>{relativeTime(order.createdAt)}</td>
            <td>
              <OrderState order={order} /> {order.problem !== "" && <State kind="bad" text={text.problem} />}
            </td>
            <td class="amount">{amountOf(order)}</td>
          </tr>
        )}
      </PagedTable>
    </>
  );
}
