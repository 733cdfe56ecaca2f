import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { errorAbout } from "../../../parts/forms/error_about.ts";
import { Field } from "../../../parts/forms/field.tsx";
import { FormEnd } from "../../../parts/forms/form_end.tsx";
import { AreaField, DayField, TextField } from "../../../parts/forms/plain_fields.tsx";
import { useSaving } from "../../../parts/forms/saving.ts";
import { IdChooser } from "../../../parts/id_chooser.tsx";
import { InvoiceAddress } from "../../../parts/money/invoice_address.tsx";
import { NotFound } from "../../../parts/not_found.tsx";
import { callPath } from "../../../shell/call.ts";
import { goTo, linkTo } from "../../../shell/route.ts";
import { mayCall, resources } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { CREATE } from "./invoice.ts";
import { texts } from "./texts.ts";

const NAMES = ["userId", "dayFrom", "dayTo", "lines", "note"];

interface Line {
  readonly description: string;
  readonly amount: string;
}

/** The form for a new invoice. It never changes once it is issued, so the address is set before. */
export function NewInvoice(): JSX.Element {
  const [userId, setUserId] = useState("");
  const [days, setDays] = useState(lastMonth());
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [note, setNote] = useState("");
  const saving = useSaving(async () => {
    const request = {
      ...{ userId: BigInt(userId || 0), dayFrom: days.from, dayTo: days.to, note },
      lines: lines.map(({ description, amount }) => ({ description, amount: Number(amount) })),
    };
    goTo(linkTo(["invoices", (await callPath(CREATE, request))["number"] as string]));
  });
  const { value: text } = texts;
  const users = resources.value.find(({ noun }) => noun === "User");
  if (!mayCall(CREATE)) return <NotFound />;
  const { error } = saving;
  const chosen = /^\d{1,18}$/.test(userId) ? BigInt(userId) : 0n;
  return (
    <>
      <div class="head">
        <h1>{text.issue}</h1>
      </div>
      <p class="sub">{text.issueHelp}</p>
      <form class="panel pad" onSubmit={saving.submit}>
        {users === undefined
          ? (
            <TextField
              {...{ id: "invoice-user", label: text.userNumber, names: ["userId"], error, value: userId }}
              isRequired
              onInput={setUserId}
            />
          )
          : (
            <Field id="invoice-user" label={text.user} names={["userId"]} error={error}>
              {(control) => (
                <IdChooser
                  id={control.id}
                  resource={users}
                  value={userId}
                  isInvalid={control["aria-invalid"]}
                  describedBy={control["aria-describedby"]}
                  emptyText={text.chooseUser}
                  onInput={setUserId}
                />
              )}
            </Field>
          )}
        <div class="field-grid">
          <DayField
            {...{ id: "invoice-from", label: text.dayFrom, names: ["dayFrom"], error, value: days.from }}
            isRequired
            onInput={(from) => setDays({ ...days, from })}
          />
          <DayField
            {...{ id: "invoice-to", label: text.dayTo, names: ["dayTo"], error, value: days.to }}
            isRequired
            onInput={(to) => setDays({ ...days, to })}
          />
        </div>
        <Lines lines={lines} error={errorAbout(["lines"], error)} onChange={setLines} />
        <AreaField
          {...{ id: "invoice-note", label: text.note, names: ["note"], error, value: note }}
          rows={2}
          onInput={setNote}
        />
        <FormEnd saving={saving} names={NAMES} action={text.issue} />
      </form>
      {chosen !== 0n && mayCall("UserInvoiceService/updateUserInvoiceAddress") && (
        <div class="panel related">
          <InvoiceAddress key={userId} userId={chosen} onSaved={saving.clear} />
        </div>
      )}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly Line[];
  readonly error: string | undefined;
  readonly onChange: (lines: readonly Line[]) => void;
}

function Lines({ lines, error, onChange }: LinesProps): JSX.Element {
  const { value: text } = texts;
  const set = (index: number, changes: Partial<Line>) => onChange(lines.with(index, { ...lines[index]!, ...changes }));
  return (
    <fieldset class="rows">
      <legend>{text.lines}</legend>
      <p class="help">{text.linesHelp}</p>
      {lines.map(({ description, amount }, index) => (
        <div key={index} class="row">
          <input
            class="text"
            type="text"
            required
            placeholder={text.description}
            aria-label={fill(text.descriptionOf, { n: index + 1 })}
            value={description}
            onInput={(event) => set(index, { description: event.currentTarget.value })}
          />
          <input
            type="number"
            step={0.01}
            required
            placeholder={text.amount}
            aria-label={fill(text.amountOf, { n: index + 1 })}
            value={amount}
            onInput={(event) => set(index, { amount: event.currentTarget.value })}
          />
          <button
            type="button"
            class="btn quiet"
            aria-label={fill(text.removeLineOf, { n: index + 1 })}
            onClick={() => onChange(lines.toSpliced(index, 1))}
          >
            {text.removeLine}
          </button>
        </div>
      ))}
      <button type="button" class="btn" onClick={() => onChange([...lines, { description: "", amount: "" }])}>
        {text.addLine}
      </button>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
    </fieldset>
  );
}

/** Invoices are usually for the month that has ended. */
function lastMonth(): { readonly from: string; readonly to: string } {
  const now = new Date();
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getFullYear(), month, date)).toISOString().slice(0, 10);
  return { from: day(now.getMonth() - 1, 1), to: day(now.getMonth(), 0) };
}
