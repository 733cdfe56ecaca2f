import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { amountOf, orderedText, OrderState } from "../../../parts/money/order_state.tsx";
import { UserLink, userName } from "../../../parts/money/user_link.tsx";
import { NotFound } from "../../../parts/not_found.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { moneyText } from "../../../texts/amounts.ts";
import { fill } from "../../../texts/fill.ts";
import { time } from "../../../texts/mod.ts";
import { CANCEL, findOrder, FINISH, REFUND, REFUNDS, restOf, type UserOrder } from "./order.ts";
import { RefundDialog } from "./refund_dialog.tsx";
import { Refunds } from "./refunds.tsx";
import { texts } from "./texts.ts";

type Doing = "finish" | "cancel" | "refund";

/** An order, with what an operator can do about it. */
export function OrderPage({ code }: { code: string }): JSX.Element {
  const [doing, setDoing] = useState<Doing>();
  const [round, setRound] = useState(0);
  const found = useLoaded(async (signal) => ({ order: await findOrder(code, signal) }), [code, round]);
  const { value: text } = texts;
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (found.value === undefined) return <Skeleton rows={6} />;
  const { order } = found.value;
  if (order === undefined) return <NotFound />;
  const reload = () => setRound(round + 1);
  const close = () => setDoing(undefined);
  const mayEnd = order.status === "none" || order.status === "doing";
  const offered: readonly (readonly [doing: Doing, isOffered: boolean])[] = [
    ["finish", mayEnd && mayCall(FINISH)],
    ["cancel", mayEnd && mayCall(CANCEL)],
    ["refund", restOf(order) > 0 && mayCall(REFUND)],
  ];
  return (
    <>
      <div class="head">
        <h1>{fill(text.orderTitle, { code })}</h1>
        <OrderState order={order} />
        <span class="sp" />
        {offered.filter(([, isOffered]) => isOffered).map(([one]) => (
          <button
            key={one}
            type="button"
            class="btn"
            onClick={() => setDoing(one)}
          >
            {text[one]}
          </button>
        ))}
      </div>
      {order.problem !== "" && <p class="notice bad">{order.problem}</p>}
      <Facts order={order} />
      {mayCall(REFUNDS.list) && (
        <>
          <div class="head related">
            <h2>{text.refunds}</h2>
          </div>
          <div class="panel">
            <Refunds key={round} filter={{ status: "", orderCode: code, userId: 0n }} onChange={reload} />
          </div>
        </>
      )}
      {(doing === "finish" || doing === "cancel") && (
        <EndDialog order={order} what={doing} onDone={reload} onClose={close} />
      )}
      {doing === "refund" && <RefundDialog order={order} onDone={reload} onClose={close} />}
    </>
  );
}

function Facts({ order }: { order: UserOrder }): JSX.Element {
  const { value: text } = texts;
  const facts: readonly (readonly [name: string, value: JSX.Element | string])[] = [
    [text.user, <UserLink key="user" user={order.user} id={order.userId} />],
    [text.type, orderedText(order)],
    [text.amount, <b key="amount">{amountOf(order)}</b>],
    [text.method, order.orderMethod?.name ?? text.methodGone],
    [text.created, time(order.createdAt)],
    ...order.finishedAt === 0n ? [] : [[text.paidAt, time(order.finishedAt)] as const],
    ...order.cancelledAt === 0n ? [] : [[text.cancelledAt, time(order.cancelledAt)] as const],
    ...order.refundedAmount === 0 ? [] : [[text.rest, moneyText(restOf(order), order.currency)] as const],
  ];
  return (
    <div class="panel facts">
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface EndDialogProps {
  readonly order: UserOrder;
  readonly what: "finish" | "cancel";
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function EndDialog({ order, what, onDone, onClose }: EndDialogProps): JSX.Element {
  const { value: text } = texts;
  const values = { code: order.code, amount: amountOf(order), name: userName(order.user, order.userId) };
  return (
    <ActionDialog
      title={fill(what === "finish" ? text.finishOrderTitle : text.cancelTitle, values)}
      action={text[what]}
      isDangerous={what === "cancel"}
      onAct={async () => {
        await callPath(what === "finish" ? FINISH : CANCEL, { code: order.code });
        onDone();
      }}
      onClose={onClose}
    >
      <p>{fill(what === "finish" ? text.finishOrderHelp : text.cancelHelp, values)}</p>
    </ActionDialog>
  );
}
