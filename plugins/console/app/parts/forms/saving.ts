import { useState } from "preact/hooks";
import { messageOf } from "../failure.tsx";
import { ChangedElsewhere } from "./unchanged.ts";

/** The outcome of a form that was sent. */
export interface Saving {
  readonly error?: string | undefined;
  /** True if the object was changed elsewhere, so that nothing was saved. */
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  /** Sends the form. */
  readonly submit: (event: SubmitEvent) => void;
  /** Forgets the outcome, because the reader types again. */
  readonly clear: () => void;
}

type Outcome = "saving" | "saved" | { readonly caught: unknown };

/** Sends a form, and keeps what became of it. */
export function useSaving(save: () => Promise<unknown>): Saving {
  const [outcome, setOutcome] = useState<Outcome>();
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setOutcome("saving");
    try {
      await save();
      setOutcome("saved");
    } catch (caught) {
      setOutcome({ caught });
    }
  }
  const failed = typeof outcome === "object" ? outcome : undefined;
  return {
    error: failed && messageOf(failed.caught),
    isChanged: failed?.caught instanceof ChangedElsewhere,
    isSaving: outcome === "saving",
    isSaved: outcome === "saved",
    submit: (event) => void submit(event),
    clear: () => setOutcome(undefined),
  };
}
