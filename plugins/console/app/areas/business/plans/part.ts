import type { PlanDraft } from "./draft.ts";

/** The properties of every part of the form of a plan. */
export interface PartProps {
  readonly draft: PlanDraft;
  readonly error: string | undefined;
  readonly onChange: (changes: Partial<PlanDraft>) => void;
}
