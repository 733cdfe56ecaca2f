import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../../parts/forms/field.tsx";
import { FormEnd } from "../../../parts/forms/form_end.tsx";
import { AreaField, CheckField, TextField } from "../../../parts/forms/plain_fields.tsx";
import { useSaving } from "../../../parts/forms/saving.ts";
import { requireUnchanged } from "../../../parts/forms/unchanged.ts";
import { IdChooser } from "../../../parts/id_chooser.tsx";
import { callPath } from "../../../shell/call.ts";
import { resources } from "../../../shell/state.ts";
import { texts as shared } from "../../../texts/mod.ts";
import { draftOf, type PlanDraft, PRICES, REQUEST_COUNTS, requestOf, SITE_COUNTS, TRAFFIC_SIZES } from "./draft.ts";
import { FeaturePart } from "./feature_part.tsx";
import { LimitPart } from "./limit_part.tsx";
import type { PartProps } from "./part.ts";
import { CREATE, findPlan, UPDATE, type WholePlan } from "./plan.ts";
import { PricePart } from "./price_part.tsx";
import { QuotaPart } from "./quota_part.tsx";
import { texts } from "./texts.ts";

/** The fields that show their errors beside them. */
const NAMES = [
  ...["name", "description", "clusterId", "priceType", "trafficPriceJSON", "bandwidthPriceJSON", "featuresJSON"],
  ...["bandwidthLimitPerNodeJSON", "maxUploadSizeJSON", "quotasJSON", "trafficLimitJSON.noticePageBody"],
  ...TRAFFIC_SIZES.map((name) => `trafficLimitJSON.${name}`),
  ...PRICES,
  ...SITE_COUNTS,
  ...REQUEST_COUNTS,
];

interface PlanFormProps {
  /** Undefined for a new one. */
  readonly plan: WholePlan | undefined;
  readonly isReadOnly: boolean;
  readonly onSaved: (id: bigint) => void;
  readonly onReload: () => void;
}

/** What a plan is called, what it costs, and what it contains. */
export function PlanForm({ plan, isReadOnly, onSaved, onReload }: PlanFormProps): JSX.Element {
  const [seen, setSeen] = useState(plan);
  const [draft, setDraft] = useState<PlanDraft>(draftOf(plan));
  const saving = useSaving(async () => {
    if (seen === undefined) return onSaved((await callPath(CREATE, requestOf(draft, seen)))["planId"] as bigint);
    await requireUnchanged(seen, () => findPlan(seen.id), shared.value.changedElsewhere);
    await callPath(UPDATE, { ...requestOf(draft, seen), planId: seen.id, isOn: draft.isOn });
    setSeen(await findPlan(seen.id));
    onSaved(seen.id);
  });
  const part: PartProps = {
    draft,
    error: saving.error,
    onChange: (changes) => {
      setDraft({ ...draft, ...changes });
      saving.clear();
    },
  };
  return (
    <form class="page-form" onSubmit={saving.submit}>
      <fieldset class="plain" disabled={isReadOnly}>
        <NamePart {...part} isNew={plan === undefined} />
        <PricePart {...part} />
        <LimitPart {...part} />
        <FeaturePart {...part} />
        <QuotaPart {...part} />
      </fieldset>
      {!isReadOnly && <FormEnd saving={saving} names={NAMES} onReload={onReload} />}
    </form>
  );
}

function NamePart({ draft, error, isNew, onChange }: PartProps & { readonly isNew: boolean }): JSX.Element {
  const { value: text } = texts;
  const clusters = resources.value.find(({ noun }) => noun === "NodeCluster");
  return (
    <section class="panel pad">
      <h2 class="hidden">{text.name}</h2>
      <TextField
        id="plan-name"
        label={text.name}
        names={["name"]}
        error={error}
        isRequired
        value={draft.name}
        onInput={(name) => onChange({ name })}
      />
      <AreaField
        id="plan-description"
        label={text.description}
        help={text.descriptionHelp}
        names={["description"]}
        error={error}
        value={draft.description}
        onInput={(description) => onChange({ description })}
      />
      {clusters !== undefined && (
        <Field id="plan-cluster" label={text.cluster} help={text.clusterHelp} names={["clusterId"]} error={error}>
          {(control) => (
            <IdChooser
              id={control.id}
              resource={clusters}
              value={draft.clusterId}
              isInvalid={control["aria-invalid"]}
              describedBy={control["aria-describedby"]}
              emptyText={text.noCluster}
              onInput={(clusterId) => onChange({ clusterId })}
            />
          )}
        </Field>
      )}
      {!isNew && (
        <CheckField
          id="plan-isOn"
          label={text.isOn}
          help={text.isOnHelp}
          isChecked={draft.isOn}
          onChange={(isOn) => onChange({ isOn })}
        />
      )}
    </section>
  );
}
