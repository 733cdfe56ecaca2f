import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { moneyText } from "../../../texts/amounts.ts";
import { fill } from "../../../texts/fill.ts";
import { BillState, periodOf } from "../../../parts/money/bill_state.tsx";
import type { Bill } from "../../../parts/money/models.ts";
import { texts as words } from "../../../parts/money/texts.ts";
import { Sum } from "../plans/sum.tsx";
import type { Balance } from "../reader.ts";
import { GrowingTable, useGrowing } from "../../../parts/lists/growing.tsx";
import { texts } from "./texts.ts";

interface BillsProps {
  readonly balance: Balance | undefined;
  readonly onPaid: () => void;
  readonly onMissing: (amount: number) => void;
}

/** The bills of the customer, which are paid from the balance. */
export function Bills({ balance, onPaid, onMissing }: BillsProps): JSX.Element {
  const [paying, setPaying] = useState<Bill>();
  const bills = useGrowing<Bill>("UserBillService/listUserBills", "userBills", { paidFlag: -1 });
  const { value: text } = texts;
  const columns = [
    { name: text.period },
    { name: words.value.what },
    { name: text.code },
    { name: text.state },
    { name: text.amount, isNumber: true },
    { name: "" },
  ];
  return (
    <>
      <GrowingTable list={bills} empty={text.noBills} columns={columns}>
        {(bill) => (
          <tr key={bill.id}>
            <td class="first">{periodOf(bill)}</td>
            <td>
              {bill.typeName} <span class="dim">{bill.description}</span>
            </td>
            <td class="mono">{bill.code}</td>
            <td>
              <BillState bill={bill} />
            </td>
            <td class="amount">{moneyText(bill.amount)}</td>
            <td class="buttons">
              {bill.canPay && mayCall("UserBillService/payUserBill") && (
                <button
                  type="button"
                  class="btn"
                  aria-label={fill(text.payBill, bill as unknown as { code: string })}
                  onClick={() => setPaying(bill)}
                >
                  {text.pay}
                </button>
              )}
            </td>
          </tr>
        )}
      </GrowingTable>
      {paying && (
        <ActionDialog
          title={fill(text.payBill, { code: paying.code })}
          action={text.pay}
          isDisabled={balance !== undefined && balance.total < paying.amount}
          onAct={async () => {
            await callPath("UserBillService/payUserBill", { userBillId: paying.id });
            bills.reload();
            onPaid();
          }}
          onClose={() => setPaying(undefined)}
        >
          <p>{periodOf(paying)}: {paying.description || paying.typeName}</p>
          <Sum
            total={paying.amount}
            balance={balance}
            onMissing={(amount) => {
              setPaying(undefined);
              onMissing(amount);
            }}
          />
        </ActionDialog>
      )}
    </>
  );
}
