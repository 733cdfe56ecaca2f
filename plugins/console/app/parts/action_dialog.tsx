import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts/mod.ts";
import { Dialog } from "./dialog.tsx";
import { messageOf } from "./failure.tsx";
import { errorBeside } from "./forms/error_about.ts";

interface ActionDialogProps {
  readonly title: string;
  /** The verb on the button, with its object. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** True if the dialog shows the result, and so does not close when it is done. */
  readonly isKeptOpen?: boolean;
  readonly onAct: () => Promise<unknown>;
  /** Called when it is done or cancelled. */
  readonly onClose: () => void;
  /** The fields of the request that show an error about them themselves. */
  readonly fields?: readonly string[];
  /** The content, or what makes it from the error of the server. */
  readonly children: ComponentChildren | ((error: string | undefined) => ComponentChildren);
}

/** A dialog that does one thing: it stays open with the server's error if that fails. */
export function ActionDialog(
  { title, action, isDangerous, isDisabled, isKeptOpen, onAct, onClose, fields = [], children }: ActionDialogProps,
): JSX.Element {
  const [error, setError] = useState<unknown>();
  const [isActing, setActing] = useState(false);
  async function act(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setActing(true);
    try {
      await onAct();
      if (isKeptOpen !== true) onClose();
    } catch (caught) {
      setError(caught);
      setActing(false);
    }
  }
  const message = error === undefined ? undefined : messageOf(error);
  const beside = errorBeside(fields, message);
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={act}>
        {typeof children === "function" ? children(message) : children}
        {beside !== undefined && <p class="error" role="alert">{beside}</p>}
        <div class="actions">
          <button type="button" class="btn" onClick={onClose}>{texts.value.cancel}</button>
          <button
            type="submit"
            class={isDangerous ? "btn primary bad" : "btn primary"}
            disabled={isDisabled || isActing}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
