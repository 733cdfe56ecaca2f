import type { JSX } from "preact";
import { listOf } from "../../../parts/lists/list_of.ts";
import { useLoaded } from "../../../parts/loaded.ts";
import { mayCall } from "../../../shell/state.ts";

/** A way to pay. */
export interface PaymentMethod {
  readonly code: string;
  readonly name: string;
  readonly description: string;
}

/** Loads the ways in which the customer can pay orders. */
export function usePaymentMethods(): readonly PaymentMethod[] {
  const loaded = useLoaded(async (signal) => {
    if (!mayCall("UserOrderService/createUserOrder")) return [];
    return await listOf<PaymentMethod>("OrderMethodService/findAllAvailableOrderMethods", "orderMethods", {}, signal);
  }, []);
  return loaded.value ?? [];
}

interface PaymentMethodsProps {
  readonly legend: string;
  readonly methods: readonly PaymentMethod[];
  /** The code of the chosen method; empty for the balance. */
  readonly chosen: string;
  /** Offers the balance too, by this text. */
  readonly balanceText?: string;
  readonly onChoose: (code: string) => void;
}

/** The choice between ways to pay. */
export function PaymentMethods({ legend, methods, chosen, balanceText, onChoose }: PaymentMethodsProps): JSX.Element {
  const balance = balanceText === undefined ? [] : [{ code: "", name: balanceText, description: "" }];
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {[...balance, ...methods].map(({ code, name, description }) => (
        <label key={code} class="choice">
          <input type="radio" name="method" checked={code === chosen} onChange={() => onChoose(code)} />
          {name}
          <span class="dim">{description}</span>
        </label>
      ))}
    </fieldset>
  );
}
