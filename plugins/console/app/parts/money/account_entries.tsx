import type { JSX } from "preact";
import { relativeTime, time } from "../../texts/mod.ts";
import { moneyText } from "../../texts/amounts.ts";
import { GrowingTable, useGrowing } from "../lists/growing.tsx";
import { texts } from "./texts.ts";

interface Entry {
  readonly id: bigint;
  readonly delta: number;
  readonly total: number;
  readonly eventType: string;
  readonly description: string;
  readonly createdAt: bigint;
}

/** The bookings on an account; without its id, on that of the customer who reads. */
export function AccountEntries({ userAccountId = 0n }: { userAccountId?: bigint }): JSX.Element {
  const entries = useGrowing<Entry>("UserAccountLogService/listUserAccountLogs", "userAccountLogs", { userAccountId });
  const { value: text } = texts;
  const columns = [
    { name: text.time },
    { name: text.what },
    { name: text.change, isNumber: true },
    { name: text.after, isNumber: true },
  ];
  return (
    <GrowingTable list={entries} empty={text.noEntries} columns={columns}>
      {({ id, delta, total, eventType, description, createdAt }) => (
        <tr key={id}>
          <td title={time(createdAt)}>{relativeTime(createdAt)}</td>
          <td class="first">
            {(text.eventTypes as Readonly<Record<string, string>>)[eventType] ?? eventType}{" "}
            <span class="dim">{description}</span>
          </td>
          <td class="amount">{delta > 0 ? `+${moneyText(delta)}` : moneyText(delta)}</td>
          <td class="amount dim">{moneyText(total)}</td>
        </tr>
      )}
    </GrowingTable>
  );
}
