import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "../../../parts/copy_button.tsx";
import { FormEnd } from "../../../parts/forms/form_end.tsx";
import { AreaField, CheckField, TextField } from "../../../parts/forms/plain_fields.tsx";
import { useSaving } from "../../../parts/forms/saving.ts";
import { requireUnchanged } from "../../../parts/forms/unchanged.ts";
import { texts as shared } from "../../../texts/mod.ts";
import { draftOf, findMethod, type Method, type MethodDraft, saveMethod, WEBHOOK } from "./method.ts";
import { texts } from "./texts.ts";

const FIELDS = ["name", "code", "description", "url", "clientType", "qrcodeTitle"] as const;
const REFUND_URL = ["paramsJSON.refundURL", "paramsJSON"];
const NAMES = [...FIELDS, "parentCode", ...REFUND_URL];

interface MethodFormProps {
  /** Undefined for a new one. */
  readonly method: Method | undefined;
  readonly isReadOnly: boolean;
  readonly onSaved: (id: bigint) => void;
  readonly onReload: () => void;
}

/** How a payment method is called, and who says that a payment arrived. */
export function MethodForm({ method, isReadOnly, onSaved, onReload }: MethodFormProps): JSX.Element {
  const [seen, setSeen] = useState(method);
  const [draft, setDraft] = useState<MethodDraft>(draftOf(method));
  const saving = useSaving(async () => {
    if (seen === undefined) return onSaved(await saveMethod(undefined, draft));
    await requireUnchanged(seen, () => findMethod(seen.id), shared.value.changedElsewhere);
    await saveMethod(seen, draft);
    setSeen(await findMethod(seen.id));
    onSaved(seen.id);
  });
  const { value: text } = texts;
  const set = (changes: Partial<MethodDraft>) => {
    setDraft({ ...draft, ...changes });
    saving.clear();
  };
  const { error } = saving;
  const isNew = method === undefined;
  return (
    <form class="panel pad" onSubmit={saving.submit}>
      <fieldset class="plain" disabled={isReadOnly}>
        {FIELDS.map((name) => {
          const common = {
            id: `method-${name}`,
            label: text.fields[name],
            help: text.helps[name],
            names: [name],
            error,
            value: draft[name],
            isRequired: name === "name" || name === "code",
            isDisabled: name === "code" && !isNew,
            onInput: (value: string) => set({ [name]: value }),
          };
          return name === "description" ? <AreaField key={name} {...common} /> : <TextField key={name} {...common} />;
        })}
        {isNew && <Provider draft={draft} onChange={set} />}
        {draft.parentCode !== "" && (isNew || draft.parentCode !== WEBHOOK) && (
          <TextField
            id="method-parentCode"
            label={text.provider}
            help={text.providerHelp}
            names={["parentCode"]}
            error={error}
            isDisabled={!isNew}
            value={draft.parentCode}
            onInput={(parentCode) => set({ parentCode })}
          />
        )}
        {draft.parentCode === WEBHOOK && (
          <TextField
            id="method-refundURL"
            label={text.refundURL}
            help={text.refundHelp}
            names={REFUND_URL}
            error={error}
            value={draft.refundURL}
            onInput={(refundURL) => set({ refundURL })}
          />
        )}
        {!isNew && (
          <CheckField
            id="method-isOn"
            label={text.isOn}
            help={text.isOnHelp}
            isChecked={draft.isOn}
            onChange={(isOn) => set({ isOn })}
          />
        )}
      </fieldset>
      {seen !== undefined && seen.parentCode !== "" && seen.secret !== "" && (
        <div class="field">
          <span class="label">{text.secret}</span>
          <span class="copied-secret">
            <CopyButton text={seen.secret} what={text.secretOf} />
          </span>
          <p class="help">{text.secretHelp}</p>
        </div>
      )}
      {!isReadOnly && <FormEnd saving={saving} names={NAMES} onReload={onReload} />}
    </form>
  );
}

interface ProviderProps {
  readonly draft: MethodDraft;
  readonly onChange: (changes: Partial<MethodDraft>) => void;
}

function Provider({ draft, onChange }: ProviderProps): JSX.Element {
  const { value: text } = texts;
  const isByHand = draft.parentCode === "";
  return (
    <fieldset class="choices narrow">
      <legend>{text.arrival}</legend>
      <label class="choice">
        <input type="radio" name="arrival" checked={isByHand} onChange={() => onChange({ parentCode: "" })} />
        {text.byHand}
      </label>
      <label class="choice">
        <input type="radio" name="arrival" checked={!isByHand} onChange={() => onChange({ parentCode: WEBHOOK })} />
        {text.byProvider}
      </label>
    </fieldset>
  );
}
