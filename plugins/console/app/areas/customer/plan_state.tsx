import type { JSX } from "preact";
import { State } from "../../parts/state.tsx";
import { fill } from "../../texts/fill.ts";
import { daysUntil, dayText, relativeDays } from "../../texts/amounts.ts";
import type { UserPlan } from "./models.ts";
import { texts } from "./overview/texts.ts";

const SOON_DAYS = 14;

/** Until when a plan of the customer lasts. */
export function PlanState({ plan: { dayTo, isOn } }: { plan: UserPlan }): JSX.Element {
  const { value: text } = texts;
  const days = daysUntil(dayTo);
  const day = dayText(dayTo);
  if (!isOn) return <State kind="idle" text={text.off} />;
  if (days < 0) return <State kind="bad" text={fill(text.endedOn, { day })} />;
  return <State kind={days <= SOON_DAYS ? "warn" : "ok"} text={fill(text.endsOn, { when: relativeDays(days), day })} />;
}
