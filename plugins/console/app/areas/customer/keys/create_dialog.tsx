import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { CopyButton } from "../../../parts/copy_button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { TextInput } from "../../../parts/text_input.tsx";
import { callPath } from "../../../shell/call.ts";
import { texts } from "./texts.ts";

interface NewKey {
  readonly uniqueId: string;
  readonly secret: string;
}

interface CreateKeyProps {
  /** Whose key it is, if that is not the customer who is signed in. */
  readonly owner?: { readonly adminId: bigint };
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

/** Makes an access key and shows its secret once. */
export function CreateKeyDialog({ owner, onCreated, onClose }: CreateKeyProps): JSX.Element {
  const [description, setDescription] = useState("");
  const [isReadOnly, setReadOnly] = useState(false);
  const [day, setDay] = useState("");
  const [made, setMade] = useState<NewKey>();
  const { value: text } = texts;
  async function create(): Promise<void> {
    const restriction = restrictionOf(isReadOnly, day);
    const request = { ...owner, description, ...(restriction !== undefined && { restriction }) };
    setMade(await callPath("UserAccessKeyService/createUserAccessKey", request) as unknown as NewKey);
    onCreated();
  }
  if (made !== undefined) return <MadeKey made={made} onClose={onClose} />;
  return (
    <ActionDialog title={text.create} action={text.create} isKeptOpen onAct={create} onClose={onClose}>
      <div class="field">
        <label for="key-description">{text.description}</label>
        <TextInput
          id="key-description"
          isSecret={false}
          isRequired
          autocomplete="off"
          value={description}
          describedBy="key-description-help"
          onInput={setDescription}
        />
        <p class="help" id="key-description-help">{text.descriptionHelp}</p>
      </div>
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            checked={isReadOnly}
            onChange={(event) => setReadOnly(event.currentTarget.checked)}
          />
          {text.readOnly}
        </label>
      </div>
      <div class="field">
        <label for="key-day">{text.expires}</label>
        <input id="key-day" type="date" value={day} onInput={(event) => setDay(event.currentTarget.value)} />
      </div>
    </ActionDialog>
  );
}

/** Returns what the key is restricted to; the chosen day is included, in the time zone of the reader. */
function restrictionOf(isReadOnly: boolean, day: string): Record<string, unknown> | undefined {
  if (!isReadOnly && day === "") return undefined;
  const end = day === "" ? 0 : Math.floor(new Date(`${day}T23:59:59`).getTime() / 1000);
  return { isReadOnly, expiresAt: BigInt(end) };
}

function MadeKey({ made, onClose }: { made: NewKey; onClose: () => void }): JSX.Element {
  const { value: text } = texts;
  const rows = [[text.id, made.uniqueId], [text.secret, made.secret]] as const;
  return (
    <Dialog title={text.created} onClose={onClose}>
      <p>{text.createdHelp}</p>
      <dl class="made">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code> <CopyButton text={value} what={name} />
            </dd>
          </div>
        ))}
      </dl>
      <div class="actions">
        <button type="button" class="btn primary" onClick={onClose}>{text.done}</button>
      </div>
    </Dialog>
  );
}
