import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure, messageOf } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { texts } from "./texts.ts";

const FIELDS = ["name", "address", "country", "taxNumber"] as const;
type Address = Partial<Readonly<Record<(typeof FIELDS)[number], string>>>;

/** The address that new invoices of the customer show. */
export function InvoiceAddress(): JSX.Element {
  const [address, setAddress] = useState<Address>({});
  const [error, setError] = useState("");
  const [isSaved, setSaved] = useState(false);
  const loaded = useLoaded(async (signal) => {
    const found = (await callPath("UserInvoiceService/findUserInvoiceAddress", {}, signal))["address"];
    return (found ?? {}) as Address;
  }, []);
  useEffect(() => setAddress(loaded.value ?? {}), [loaded.value]);
  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setSaved(false);
    try {
      const request = Object.fromEntries(FIELDS.map((name) => [name, address[name] ?? ""]));
      await callPath("UserInvoiceService/updateUserInvoiceAddress", request);
      setError("");
      setSaved(true);
    } catch (caught) {
      setError(messageOf(caught));
    }
  }
  const { value: text } = texts;
  const isNamed = FIELDS.some((name) => error.startsWith(`${name}:`));
  return (
    <form class="pad address" onSubmit={save}>
      <h2>{text.address}</h2>
      <p class="dim">{text.addressHelp}</p>
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      {FIELDS.map((name) => {
        const isWrong = error.startsWith(`${name}:`);
        const common = {
          id: `address-${name}`,
          value: address[name] ?? "",
          "aria-invalid": isWrong,
          onInput: (event: Event) =>
            setAddress({ ...address, [name]: (event.currentTarget as HTMLInputElement).value }),
        };
        return (
          <div key={name} class="field">
            <label for={common.id}>{text.addressFields[name]}</label>
            {name === "address" ? <textarea rows={3} {...common} /> : <input type="text" {...common} />}
            {isWrong && <p class="error" role="alert">{error}</p>}
          </div>
        );
      })}
      {error !== "" && !isNamed && <p class="error" role="alert">{error}</p>}
      <div class="actions start">
        <button type="submit" class="btn primary">{text.saveAddress}</button>
        <span role="status">{isSaved && text.saved}</span>
      </div>
    </form>
  );
}
