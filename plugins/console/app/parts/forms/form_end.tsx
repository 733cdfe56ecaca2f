import type { JSX } from "preact";
import { texts } from "../../texts/mod.ts";
import { errorBeside } from "./error_about.ts";
import type { Sending } from "./sending.ts";

interface FormEndProps {
  readonly sending: Sending;
  /** The fields that show an error about them themselves. */
  readonly names: readonly string[];
  /** The address of the page before the form. */
  readonly back: string;
  /** Loads what the object is now, in place of what was typed. */
  readonly onReload?: () => void;
}

/** The end of a form: what is wrong with it as a whole, and the ways out of it. */
export function FormEnd({ sending, names, back, onReload }: FormEndProps): JSX.Element {
  const { value: text } = texts;
  const error = errorBeside(names, sending.error);
  return (
    <>
      {error !== undefined && (
        <div role="alert">
          <p class="error">{error}</p>
          {sending.isOutdated && onReload && (
            <button type="button" class="btn" onClick={onReload}>{text.loadAgain}</button>
          )}
        </div>
      )}
      <div class="actions start">
        <button type="submit" class="btn primary" disabled={sending.isSending}>{text.save}</button>
        <a class="btn quiet" href={back}>{text.cancel}</a>
      </div>
    </>
  );
}
