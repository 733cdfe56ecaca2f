import type { JSX } from "preact";
import { texts } from "../../texts/mod.ts";
import { errorBeside } from "./error_about.ts";
import type { Saving } from "./saving.ts";

interface FormEndProps {
  readonly saving: Saving;
  /** The fields that show their errors themselves. */
  readonly names: readonly string[];
  /** The text of the button. */
  readonly action?: string;
  /** The address of the page before the form. */
  readonly back?: string;
  /** Loads the object again after it was changed elsewhere. */
  readonly onReload?: () => void;
}

/** The end of a form: what the server says about all of it, and the ways out of it. */
export function FormEnd({ saving, names, action, back, onReload }: FormEndProps): JSX.Element {
  const { value: text } = texts;
  const error = errorBeside(names, saving.error);
  return (
    <>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      <div class="actions start">
        <button type="submit" class="btn primary" disabled={saving.isSaving}>{action ?? text.save}</button>
        {saving.isChanged && onReload && <button type="button" class="btn" onClick={onReload}>{text.loadAgain}</button>}
        {back !== undefined && <a class="btn quiet" href={back}>{text.cancel}</a>}
        <span class="dim" role="status">{saving.isSaved && text.saved}</span>
      </div>
    </>
  );
}
