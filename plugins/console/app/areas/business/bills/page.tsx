import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { filterId, filterValue, setFilters, TextFilter, UserFilter } from "../../../parts/lists/filters.tsx";
import { PagedTable, usePage } from "../../../parts/lists/paged.tsx";
import { Spans } from "../../../parts/lists/spans.tsx";
import { BillState, periodOf } from "../../../parts/money/bill_state.tsx";
import { UserLink } from "../../../parts/money/user_link.tsx";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { moneyText } from "../../../texts/amounts.ts";
import { GENERATE, LIST, type UserBill } from "./bill.ts";
import { BillPage } from "./bill_page.tsx";
import { GenerateDialog } from "./generate_dialog.tsx";
import { texts } from "./texts.ts";

const FLAGS = { all: -1, unpaid: 0, paid: 1 } as const;
type State = keyof typeof FLAGS;

/** The bills of all users, or one of them. */
export default function BillsPage({ steps: [step] }: { readonly steps: readonly string[] }): JSX.Element {
  if (step !== undefined && /^\d+$/.test(step)) return <BillPage key={step} id={BigInt(step)} />;
  return <BillList />;
}

function BillList(): JSX.Element {
  const [isGenerating, setGenerating] = useState(false);
  const state = Object.keys(FLAGS).find((one) => one === filterValue("state")) as State | undefined ?? "all";
  const month = /^(\d{4})-?(\d{2})$/.exec(filterValue("month"));
  const page = usePage<UserBill>(LIST, {
    paidFlag: FLAGS[state],
    userId: filterId("user"),
    month: month === null ? "" : `${month[1]}${month[2]}`,
  });
  const { value: text } = texts;
  const columns = [
    { name: text.period },
    { name: text.user },
    { name: text.what },
    { name: text.code },
    { name: text.state },
    { name: text.amount, isNumber: true },
  ];
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {mayCall(GENERATE) && (
          <button type="button" class="btn" onClick={() => setGenerating(true)}>{text.generate}</button>
        )}
      </div>
      <div class="panel">
        <div class="filters" role="search">
          <div class="chips">
            <Spans
              offered={[["all", text.all], ["unpaid", text.unpaid], ["paid", text.paid]]}
              chosen={state}
              onChoose={(chosen) => setFilters({ state: chosen === "all" ? "" : chosen })}
            />
          </div>
          <TextFilter name="month" label={text.month} isMonth />
          <UserFilter label={text.user} emptyText={text.anyUser} />
        </div>
        <PagedTable page={page} empty={text.none} columns={columns}>
          {(bill) => (
            <tr key={bill.id}>
              <td>
                <a class="link main" href={linkTo(["bills", bill.id])}>{periodOf(bill)}</a>
              </td>
              <td>
                <UserLink user={bill.user} />
              </td>
              <td class="dim">{bill.typeName} {bill.description}</td>
              <td class="mono">{bill.code}</td>
              <td>
                <BillState bill={bill} />
              </td>
              <td class="amount">{moneyText(bill.amount)}</td>
            </tr>
          )}
        </PagedTable>
      </div>
      {isGenerating && <GenerateDialog onDone={page.reload} onClose={() => setGenerating(false)} />}
    </>
  );
}
