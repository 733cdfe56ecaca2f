import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { callPath } from "../../../shell/call.ts";
import { fill } from "../../../texts/fill.ts";
import { plural } from "../../../texts/mod.ts";
import { bytesText, moneyText } from "../../../texts/amounts.ts";
import { PaymentMethods, usePaymentMethods } from "../billing/methods.tsx";
import { openPayment } from "../billing/payment.ts";
import type { UserPackage } from "../models.ts";
import type { Balance } from "../reader.ts";
import { type PackageOffer, regionName } from "./package_offers.ts";
import { Sum } from "./sum.tsx";
import { texts } from "./texts.ts";

interface PackageDialogProps {
  readonly offers: readonly PackageOffer[];
  readonly owned: readonly UserPackage[];
  readonly balance: Balance | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly onMissing: (amount: number) => void;
}

const MAX_COUNT = 100;
const BALANCE = "";

/** Buys traffic: from the balance, or by an order that another method of payment pays. */
export function PackageDialog(props: PackageDialogProps): JSX.Element {
  const { offers, owned, balance, onDone, onClose, onMissing } = props;
  const [chosen, setChosen] = useState(offers[0]!);
  const [typed, setTyped] = useState("1");
  const [method, setMethod] = useState(BALANCE);
  const methods = usePaymentMethods();
  const { value: text } = texts;
  const count = Math.min(MAX_COUNT, Math.max(1, Math.trunc(Number(typed)) || 1));
  const total = chosen.price * count;
  const isShort = method === BALANCE && balance !== undefined && balance.total < total;
  const { trafficPackageId, nodeRegionId, trafficPackagePeriodId } = chosen;
  async function act(): Promise<void> {
    const fields = { trafficPackageId, nodeRegionId, trafficPackagePeriodId, count };
    if (method === BALANCE) await callPath("UserTrafficPackageService/buyUserTrafficPackage", fields);
    else await openPayment({ type: "buyTrafficPackage", orderMethodCode: method, amount: total, params: fields });
    onDone();
  }
  /** Another size, region or time, with the rest as near as it is sold. */
  function choose(wanted: Partial<PackageOffer>): void {
    const fits = offers.filter((offer) =>
      Object.entries(wanted).every(([key, value]) => Reflect.get(offer, key) === value)
    );
    const likeness = (offer: PackageOffer) =>
      Object.entries(chosen).filter(([key, value]) => Reflect.get(offer, key) === value).length;
    setChosen(fits.sort((one, other) => likeness(other) - likeness(one))[0] ?? chosen);
  }
  const regions = distinct(offers.map((offer) => offer.nodeRegionId));
  const sizes = distinct(offers.map(({ bytes }) => bytes));
  const times = distinct(offers.map(({ months }) => months));
  return (
    <ActionDialog
      title={text.buyPackage}
      action={method === BALANCE ? text.buyPackage : text.order}
      isDisabled={isShort}
      onAct={act}
      onClose={onClose}
    >
      <Choice
        legend={text.size}
        options={sizes.map((bytes) => ({
          text: bytesText(bytes),
          wanted: { bytes },
          isChosen: bytes === chosen.bytes,
        }))}
        onChoose={choose}
      />
      <Choice
        legend={text.validFor}
        options={times.map((months) => ({
          text: plural(text.months, months),
          wanted: { months },
          isChosen: months === chosen.months,
        }))}
        onChoose={choose}
      />
      {regions.length > 1 && (
        <Choice
          legend={text.region}
          options={regions.map((id) => ({
            text: regionName(id, owned),
            wanted: { nodeRegionId: id },
            isChosen: id === nodeRegionId,
          }))}
          onChoose={choose}
        />
      )}
      <div class="field">
        <label for="package-count">{text.packageCount}</label>
        <input
          id="package-count"
          type="number"
          min={1}
          max={MAX_COUNT}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <PaymentMethods
        legend={text.payWith}
        methods={methods}
        chosen={method}
        balanceText={fill(text.fromBalance, { amount: moneyText(balance?.total ?? 0) })}
        onChoose={setMethod}
      />
      <Sum
        total={total}
        balance={method === BALANCE ? balance : undefined}
        onMissing={(amount) => {
          onClose();
          onMissing(amount);
        }}
      />
    </ActionDialog>
  );
}

interface ChoiceProps {
  readonly legend: string;
  readonly options: readonly {
    readonly text: string;
    readonly wanted: Partial<PackageOffer>;
    readonly isChosen: boolean;
  }[];
  readonly onChoose: (wanted: Partial<PackageOffer>) => void;
}

function Choice({ legend, options, onChoose }: ChoiceProps): JSX.Element {
  return (
    <fieldset class="choices inline">
      <legend>{legend}</legend>
      {options.map(({ text, wanted, isChosen }) => (
        <label key={text} class="chip">
          <input type="radio" name={legend} checked={isChosen} onChange={() => onChoose(wanted)} /> {text}
        </label>
      ))}
    </fieldset>
  );
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
