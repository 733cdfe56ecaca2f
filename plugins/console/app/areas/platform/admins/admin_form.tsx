import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../../parts/failure.tsx";
import { TextInput } from "../../../parts/text_input.tsx";
import { texts as shared } from "../../../texts/mod.ts";
import { type Admin, type AdminDraft, draftOf, type Module, saveAdmin } from "./admin.ts";
import { ModuleBoxes } from "./module_boxes.tsx";
import { texts } from "./texts.ts";

const TEXTS = ["username", "fullname", "password"] as const;
const SWITCHES = ["isOn", "canLogin", "isSuper"] as const;

interface AdminFormProps {
  /** Undefined for a new one. */
  readonly admin: Admin | undefined;
  readonly modules: readonly Module[];
  readonly isReadOnly: boolean;
  readonly onSaved: (id: bigint) => void;
}

/** What an admin is called, whether they may sign in, and what they may do. */
export function AdminForm({ admin, modules, isReadOnly, onSaved }: AdminFormProps): JSX.Element {
  const [draft, setDraft] = useState<AdminDraft>(draftOf(admin));
  const [outcome, setOutcome] = useState<"saving" | "saved" | { readonly error: string }>();
  const { value: text } = texts;
  const set = (changes: Partial<AdminDraft>) => {
    setDraft({ ...draft, ...changes });
    setOutcome(undefined);
  };
  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setOutcome("saving");
    try {
      const id = await saveAdmin(admin, draft);
      setDraft({ ...draft, password: "" });
      setOutcome("saved");
      onSaved(id);
    } catch (error) {
      setOutcome({ error: messageOf(error) });
    }
  }
  const error = typeof outcome === "object" ? outcome.error : undefined;
  const switches = SWITCHES.filter((name) => name !== "isOn" || admin !== undefined);
  return (
    <form class="panel pad admin-form" onSubmit={save}>
      <fieldset disabled={isReadOnly}>
        <legend class="hidden">{text.profile}</legend>
        {TEXTS.filter((name) => name !== "password" || !isReadOnly).map((name) => (
          <div key={name} class="field">
            <label for={`admin-${name}`}>{text[name]}</label>
            <TextInput
              id={`admin-${name}`}
              isSecret={name === "password"}
              isRequired={name === "username"}
              autocomplete={name === "password" ? "new-password" : "off"}
              value={draft[name]}
              isInvalid={error?.startsWith(`${name}:`) ?? false}
              describedBy={name === "password" ? "admin-password-help" : undefined}
              onInput={(value) => set({ [name]: value })}
            />
            {name === "password" && (
              <p class="help" id="admin-password-help">{admin === undefined ? text.newPassword : text.keptPassword}</p>
            )}
          </div>
        ))}
        {switches.map((name) => (
          <div key={name} class="field">
            <label class="check">
              <input
                type="checkbox"
                checked={draft[name]}
                aria-describedby={`admin-${name}-help`}
                onChange={(event) => set({ [name]: event.currentTarget.checked })}
              />{" "}
              {text.switches[name].label}
            </label>
            <p class="help" id={`admin-${name}-help`}>{text.switches[name].help}</p>
          </div>
        ))}
        {!draft.isSuper && (
          <ModuleBoxes
            modules={modules}
            chosen={draft.modules}
            onChange={(codes) => set({ modules: codes })}
          />
        )}
      </fieldset>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      {!isReadOnly && (
        <div class="actions start">
          <button type="submit" class="btn primary" disabled={outcome === "saving"}>{shared.value.save}</button>
          <span class="dim" role="status">{outcome === "saved" && text.saved}</span>
        </div>
      )}
    </form>
  );
}
