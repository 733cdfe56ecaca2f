import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../../../../parts/dialog.tsx";
import { messageOf } from "../../../../parts/failure.tsx";
import { texts } from "../../../../texts/mod.ts";

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly onSave: () => Promise<unknown>;
  /** Called when it is saved or cancelled. */
  readonly onClose: () => void;
  /** The fields, which get the error of the server. */
  readonly children: (error: string | undefined) => ComponentChildren;
}

/** A form above the page, which stays open with the error of the server beside its field. */
export function FormDialog({ title, action, onSave, onClose, children }: FormDialogProps): JSX.Element {
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const [isBeside, setBeside] = useState(true);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = form.current?.querySelector('[aria-invalid="true"]');
    setBeside(field !== null);
    // it may be out of sight in a long form
    field?.scrollIntoView({ block: "center" });
  }, [error]);
  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setSaving(true);
    setError(undefined);
    try {
      await onSave();
      onClose();
    } catch (caught) {
      setError(messageOf(caught));
      setSaving(false);
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} class="rule-form" onSubmit={save}>
        {children(error)}
        {error !== undefined && !isBeside && <p class="error" role="alert">{error}</p>}
        <div class="actions">
          <button type="button" class="btn" onClick={onClose}>{texts.value.cancel}</button>
          <button type="submit" class="btn primary" disabled={isSaving}>{action}</button>
        </div>
      </form>
    </Dialog>
  );
}
