import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { filterId, filterValue, setFilters, UserFilter } from "../../../parts/lists/filters.tsx";
import { PagedTable, usePage } from "../../../parts/lists/paged.tsx";
import { Spans } from "../../../parts/lists/spans.tsx";
import { UserById } from "../../../parts/money/user_link.tsx";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { moneyText } from "../../../texts/amounts.ts";
import { fill } from "../../../texts/fill.ts";
import { relativeTime, time } from "../../../texts/mod.ts";
import { FINISH_REFUND, type Refund, REFUNDS } from "./order.ts";
import { texts } from "./texts.ts";

const STATES = ["", "waiting", "sent", "finished", "failed"] as const;
const KINDS = { waiting: "warn", sent: "warn", finished: "ok", failed: "bad" } as const;

/** The refunds of all orders. */
export function RefundList(): JSX.Element {
  const status = STATES.find((state) => state === filterValue("status")) ?? "";
  const { value: text } = texts;
  return (
    <>
      <div class="filters" role="search">
        <div class="chips">
          <Spans
            offered={STATES.map((state) => [state, capital(text.refundStates[state || "any"])] as const)}
            chosen={status}
            onChoose={(chosen) => setFilters({ status: chosen })}
          />
        </div>
        <UserFilter label={text.user} emptyText={text.anyUser} />
      </div>
      <Refunds filter={{ status, orderCode: "", userId: filterId("user") }} />
    </>
  );
}

interface RefundsProps {
  readonly filter: { readonly status: string; readonly orderCode: string; readonly userId: bigint };
  /** Called when a refund has a result. */
  readonly onChange?: () => void;
}

/** Refunds with their results, which operators set where no provider does it. */
export function Refunds({ filter, onChange }: RefundsProps): JSX.Element {
  const [ending, setEnding] = useState<{ readonly refund: Refund; readonly isFailed: boolean }>();
  const page = usePage<Refund>(REFUNDS, filter);
  const { value: text } = texts;
  const columns = [
    ...filter.orderCode === "" ? [{ name: text.order }, { name: text.user }] : [],
    { name: text.created },
    { name: text.reason },
    { name: text.state },
    { name: text.amount, isNumber: true },
    ...mayCall(FINISH_REFUND) ? [{ name: "" }] : [],
  ];
  const end = (refund: Refund, isFailed: boolean) => (
    <button
      type="button"
      class="btn quiet"
      aria-label={fill(isFailed ? text.failOne : text.finishOne, { code: refund.code })}
      onClick={() => setEnding({ refund, isFailed })}
    >
      {isFailed ? text.fail : text.finishRefund}
    </button>
  );
  return (
    <>
      <PagedTable page={page} empty={text.noRefunds} columns={columns}>
        {(refund) => (
          <tr key={refund.code}>
            {filter.orderCode === "" && (
              <>
                <td>
                  <a class="link main mono" href={linkTo(["orders", refund.orderCode])}>{refund.orderCode}</a>
                </td>
                <td>
                  <UserById id={refund.userId} />
                </td>
              </>
            )}
            <td title={time(refund.createdAt)}>{relativeTime(refund.createdAt)}</td>
            <td class="wrapped">
              {refund.reason}
              {refund.problem !== "" && <div class="dim">{refund.problem}</div>}
            </td>
            <td>
              <RefundState status={refund.status} />
            </td>
            <td class="amount">{moneyText(refund.amount, refund.currency)}</td>
            {mayCall(FINISH_REFUND) && (
              <td class="buttons">
                {isOpen(refund) && <>{end(refund, false)} {end(refund, true)}</>}
              </td>
            )}
          </tr>
        )}
      </PagedTable>
      {ending && (
        <EndDialog
          {...ending}
          onDone={() => {
            page.reload();
            onChange?.();
          }}
          onClose={() => setEnding(undefined)}
        />
      )}
    </>
  );
}

interface EndDialogProps {
  readonly refund: Refund;
  readonly isFailed: boolean;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function EndDialog({ refund, isFailed, onDone, onClose }: EndDialogProps): JSX.Element {
  const [problem, setProblem] = useState("");
  const { value: text } = texts;
  const values = { amount: moneyText(refund.amount, refund.currency), code: refund.orderCode };
  return (
    <ActionDialog
      title={fill(isFailed ? text.failTitle : text.finishTitle, values)}
      action={isFailed ? text.fail : text.finishRefund}
      isDangerous={isFailed}
      onAct={async () => {
        await callPath(FINISH_REFUND, { code: refund.code, isFailed, problem: problem.trim() });
        onDone();
      }}
      onClose={onClose}
    >
      <p>{fill(isFailed ? text.failHelp : text.finishHelp, values)}</p>
      {isFailed && (
        <div class="field">
          <label for="refund-problem">{text.cause}</label>
          <input
            id="refund-problem"
            type="text"
            required
            maxLength={200}
            value={problem}
            onInput={(event) => setProblem(event.currentTarget.value)}
          />
        </div>
      )}
    </ActionDialog>
  );
}

function RefundState({ status }: { status: string }): JSX.Element {
  const known = status in KINDS ? status as keyof typeof KINDS : undefined;
  return known === undefined ? <>{status}</> : <State kind={KINDS[known]} text={texts.value.refundStates[known]} />;
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

function isOpen({ status }: Refund): boolean {
  return status === "waiting" || status === "sent";
}
