import type { JSX } from "preact";
import { AreaField, NumberField } from "../../../parts/forms/plain_fields.tsx";
import { REQUEST_COUNTS, SITE_COUNTS, TRAFFIC_SIZES } from "./draft.ts";
import type { PartProps } from "./part.ts";
import { SizeField } from "./size_field.tsx";
import { texts } from "./texts.ts";

/** What sites of the plan may use. */
export function LimitPart({ draft, error, onChange }: PartProps): JSX.Element {
  const { value: text } = texts;
  const { limitsTraffic, trafficSizes, noticePageBody, bandwidthLimitPerNode, maxUploadSize } = draft;
  return (
    <section class="panel pad">
      <h2>{text.limits}</h2>
      <p class="help">{text.limitsHelp}</p>
      <div class="field-grid">
        {[...SITE_COUNTS, ...REQUEST_COUNTS].map((name) => (
          <NumberField
            key={name}
            id={`plan-${name}`}
            label={text.counts[name]}
            names={[name]}
            error={error}
            placeholder={text.noLimit}
            value={draft[name]}
            onInput={(value) => onChange({ [name]: value })}
          />
        ))}
        <SizeField
          id="plan-bandwidth"
          label={text.bandwidthLimit}
          name="bandwidthLimitPerNodeJSON"
          isRate
          error={error}
          value={bandwidthLimitPerNode}
          onInput={(value) => onChange({ bandwidthLimitPerNode: value })}
        />
        <SizeField
          id="plan-upload"
          label={text.uploadLimit}
          name="maxUploadSizeJSON"
          error={error}
          value={maxUploadSize}
          onInput={(value) => onChange({ maxUploadSize: value })}
        />
      </div>
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            checked={limitsTraffic}
            onChange={(event) => onChange({ limitsTraffic: event.currentTarget.checked })}
          />
          {text.limitTraffic}
        </label>
      </div>
      {limitsTraffic && (
        <>
          <div class="field-grid">
            {TRAFFIC_SIZES.map((name) => (
              <SizeField
                key={name}
                id={`plan-${name}`}
                label={text.sizes[name]}
                name={`trafficLimitJSON.${name}`}
                error={error}
                value={trafficSizes[name]}
                onInput={(value) => onChange({ trafficSizes: { ...trafficSizes, [name]: value } })}
              />
            ))}
          </div>
          <AreaField
            id="plan-notice"
            label={text.notice}
            help={text.noticeHelp}
            names={["trafficLimitJSON.noticePageBody"]}
            error={error}
            value={noticePageBody}
            onInput={(value) => onChange({ noticePageBody: value })}
          />
        </>
      )}
    </section>
  );
}
