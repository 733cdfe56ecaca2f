import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Draft, draftOf, requestOf } from "../../../parts/draft.ts";
import { Failure, messageOf } from "../../../parts/failure.tsx";
import { FormFields } from "../../../parts/form.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { operations } from "../../../shell/state.ts";
import { texts } from "./texts.ts";

const UPDATE = "UserInvoiceService/updateUserInvoiceAddress";

/** The address that new invoices of the customer show. */
export function InvoiceAddress(): JSX.Element | null {
  const [draft, setDraft] = useState<Draft>({});
  const [error, setError] = useState<string>();
  const [isSaved, setSaved] = useState(false);
  const message = operations.value.find(({ path }) => path === `/${UPDATE}`)?.method.input;
  const loaded = useLoaded(async (signal) => {
    const { address } = await callPath("UserInvoiceService/findUserInvoiceAddress", {}, signal);
    return (address ?? {}) as Readonly<Record<string, unknown>>;
  }, []);
  useEffect(() => {
    if (message !== undefined && loaded.value !== undefined) setDraft(draftOf(message, loaded.value));
  }, [loaded.value]);
  if (message === undefined) return null;
  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setSaved(false);
    try {
      await callPath(UPDATE, requestOf(message!, draft));
      setError(undefined);
      setSaved(true);
    } catch (caught) {
      setError(messageOf(caught));
    }
  }
  const { value: text } = texts;
  return (
    <form class="pad address" onSubmit={save}>
      <h2>{text.address}</h2>
      <p class="dim">{text.addressHelp}</p>
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      <FormFields message={message} draft={draft} onChange={setDraft} error={error} />
      <div class="actions start">
        <button type="submit" class="btn primary">{text.saveAddress}</button>
        <span role="status">{isSaved && text.saved}</span>
      </div>
    </form>
  );
}
