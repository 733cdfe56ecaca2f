import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { type Page, PagedTable, usePage } from "../../../parts/lists/paged.tsx";
import type { Loaded } from "../../../parts/loaded.ts";
import { contentTexts, priceTexts } from "../../../parts/money/plan_words.ts";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { CREATE, LIST, SORT, type WholePlan } from "./plan.ts";
import { PlanPage } from "./plan_page.tsx";
import { texts } from "./texts.ts";

const MAX_CONTENTS = 3;

/** The plans that users can buy, or the form of one. */
export default function PlansPage({ steps: [step] }: { readonly steps: readonly string[] }): JSX.Element {
  if (step === "new") return <PlanPage key={step} id={undefined} />;
  if (step !== undefined && /^\d+$/.test(step)) return <PlanPage key={step} id={BigInt(step)} />;
  return <PlanList />;
}

function PlanList(): JSX.Element {
  const page = usePage<WholePlan>(LIST, {});
  const { value: text } = texts;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {mayCall(CREATE) && <a class="btn primary" href={linkTo(["plans", "new"])}>{text.add}</a>}
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        <PlanTable page={page} />
      </div>
    </>
  );
}

function PlanTable({ page }: { page: Loaded<Page<WholePlan>> }): JSX.Element {
  const [error, setError] = useState<unknown>();
  const { value: text } = texts;
  const ids = page.value?.rows.map(({ id }) => id) ?? [];
  async function moveUp(id: bigint): Promise<void> {
    const index = ids.indexOf(id);
    try {
      await callPath(SORT, { planIds: ids.with(index, ids[index - 1]!).with(index - 1, id) });
      setError(undefined);
      page.reload();
    } catch (caught) {
      setError(caught);
    }
  }
  const columns = [
    { name: text.name },
    { name: text.state },
    { name: text.price },
    { name: text.contents },
    ...mayCall(SORT) ? [{ name: "" }] : [],
  ];
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      <PagedTable page={page} empty={text.none} columns={columns}>
        {(plan) => (
          <tr key={plan.id}>
            <td>
              <a class="link main" href={linkTo(["plans", plan.id])}>{plan.name}</a>
            </td>
            <td>
              <State kind={plan.isOn ? "ok" : "idle"} text={plan.isOn ? text.sold : text.notSold} />
            </td>
            <td class="wrapped">{priceTexts(plan).join(", ")}</td>
            <td class="wrapped dim">{contentTexts(plan).slice(0, MAX_CONTENTS).join(", ")}</td>
            {mayCall(SORT) && (
              <td class="buttons">
                {plan.id !== ids[0] && (
                  <button
                    type="button"
                    class="btn quiet"
                    aria-label={fill(text.moveUp, { name: plan.name })}
                    onClick={() => moveUp(plan.id)}
                  >
                    ↑
                  </button>
                )}
              </td>
            )}
          </tr>
        )}
      </PagedTable>
    </>
  );
}
