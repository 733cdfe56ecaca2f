import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { moneyText } from "../../../texts/amounts.ts";
import { balanceOf } from "../reader.ts";
import { AccountEntries } from "../../../parts/money/account_entries.tsx";
import { Bills } from "./bills.tsx";
import { Invoices } from "./invoices.tsx";
import { MoneyDialog } from "./money_dialog.tsx";
import { Orders } from "./orders.tsx";
import { texts } from "./texts.ts";

const TABS = [
  { key: "bills", needs: "UserBillService/listUserBills" },
  { key: "orders", needs: "UserOrderService/listEnabledUserOrders" },
  { key: "account", needs: "UserAccountLogService/listUserAccountLogs" },
  { key: "invoices", needs: "UserInvoiceService/listUserInvoices" },
] as const;

/** The money of a customer: what is owed, ordered, booked and invoiced. */
export default function BillingPage({ steps: [wanted, code] }: { steps: readonly string[] }): JSX.Element {
  const [isAdding, setAdding] = useState(false);
  const tabs = TABS.filter(({ needs }) => mayCall(needs));
  const chosen = (tabs.find(({ key }) => key === wanted) ?? tabs[0])?.key;
  const money = useLoaded(async (signal) => {
    const [balance, unpaid] = await Promise.all([balanceOf(signal), unpaidOf(signal)]);
    return { balance, unpaid };
  }, []);
  const { value: text } = texts;
  const { balance, unpaid } = money.value ?? {};
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {mayCall("UserOrderService/createUserOrder") && (
          <button
            type="button"
            class="btn primary"
            onClick={() => setAdding(true)}
          >
            {text.addMoney}
          </button>
        )}
      </div>
      <div class="grid">
        <Amount name={text.balance} amount={balance?.total} />
        {unpaid !== undefined && <Amount name={text.open} amount={unpaid} />}
        {balance !== undefined && balance.debt > 0 && <Amount name={text.debt} amount={balance.debt} />}
      </div>
      <div class="tabs" role="navigation" aria-label={text.title}>
        {tabs.map(({ key }) => (
          <a key={key} href={linkTo(["billing", key])} aria-current={key === chosen ? "page" : undefined}>
            {text[key]}
          </a>
        ))}
      </div>
      <div class="panel">
        {chosen === "bills" && <Bills balance={balance} onPaid={money.reload} onMissing={() => setAdding(true)} />}
        {chosen === "orders" && <Orders key={code} code={code} />}
        {chosen === "account" && <AccountEntries key={String(balance?.total)} />}
        {chosen === "invoices" && <Invoices />}
      </div>
      {isAdding && <MoneyDialog amount={0} onClose={() => setAdding(false)} onPaid={money.reload} />}
    </>
  );
}

async function unpaidOf(signal: AbortSignal): Promise<number | undefined> {
  if (!mayCall("UserBillService/sumUserUnpaidBills")) return undefined;
  return (await callPath("UserBillService/sumUserUnpaidBills", {}, signal))["amount"] as number;
}

function Amount({ name, amount }: { name: string; amount: number | undefined }): JSX.Element {
  return (
    <div class="panel stat">
      <span>{name}</span>
      <b>{amount === undefined ? "–" : moneyText(amount)}</b>
    </div>
  );
}
