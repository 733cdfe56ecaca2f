import type { PlanDraft } from "./draft.ts";

/** What every part of the form of a plan gets. */
export interface PartProps {
  readonly draft: PlanDraft;
  readonly error: string | undefined;
  readonly onChange: (changes: Partial<PlanDraft>) => void;
}
