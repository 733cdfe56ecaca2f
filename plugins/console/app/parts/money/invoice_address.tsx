import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { callPath } from "../../shell/call.ts";
import { Failure } from "../failure.tsx";
import { FormEnd } from "../forms/form_end.tsx";
import { AreaField, TextField } from "../forms/plain_fields.tsx";
import { useSaving } from "../forms/saving.ts";
import { useLoaded } from "../loaded.ts";
import { texts } from "./texts.ts";

const FIELDS = ["name", "address", "country", "taxNumber"] as const;
type Address = Partial<Readonly<Record<(typeof FIELDS)[number], string>>>;

interface InvoiceAddressProps {
  /** The user whose address it is; 0 for the customer who reads. */
  readonly userId?: bigint;
  readonly onSaved?: () => void;
}

/** The address that new invoices of a user show. */
export function InvoiceAddress({ userId = 0n, onSaved }: InvoiceAddressProps): JSX.Element {
  const [address, setAddress] = useState<Address>({});
  const loaded = useLoaded(async (signal) => {
    const found = (await callPath("UserInvoiceService/findUserInvoiceAddress", { userId }, signal))["address"];
    return (found ?? {}) as Address;
  }, [userId]);
  useEffect(() => setAddress(loaded.value ?? {}), [loaded.value]);
  const saving = useSaving(async () => {
    const request = Object.fromEntries(FIELDS.map((name) => [name, address[name] ?? ""]));
    await callPath("UserInvoiceService/updateUserInvoiceAddress", { ...request, userId });
    onSaved?.();
  });
  const { value: text } = texts;
  return (
    <form class="pad address" onSubmit={saving.submit}>
      <h2>{text.address}</h2>
      <p class="dim">{text.addressHelp}</p>
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      {FIELDS.map((name) => {
        const common = {
          id: `address-${name}`,
          label: text.addressFields[name],
          names: [name],
          error: saving.error,
          value: address[name] ?? "",
          onInput: (value: string) => {
            setAddress({ ...address, [name]: value });
            saving.clear();
          },
        };
        return name === "address" ? <AreaField key={name} {...common} /> : <TextField key={name} {...common} />;
      })}
      <FormEnd saving={saving} names={FIELDS} action={text.saveAddress} />
    </form>
  );
}
