import type { JSX } from "preact";
import { Field } from "../../../parts/forms/field.tsx";
import type { ChannelDraft } from "./channel.ts";
import { texts } from "./channel_texts.ts";

interface LimitFieldsProps {
  readonly draft: ChannelDraft;
  readonly error: string | undefined;
  readonly onChange: (changes: Partial<ChannelDraft>) => void;
}

/** How many messages a channel sends, and what happens to repeated ones. */
export function LimitFields({ draft, error, onChange }: LimitFieldsProps): JSX.Element {
  const { value: text } = texts;
  return (
    <fieldset class="part">
      <legend>{text.limits}</legend>
      <div class="side-by-side">
        <Field id="channel-count" label={text.count} help={text.countHelp} names={["rateJSON.count"]} error={error}>
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              value={draft.count}
              onInput={(event) => onChange({ count: event.currentTarget.value })}
            />
          )}
        </Field>
        {draft.count !== "" && (
          <Field id="channel-minutes" label={text.minutes} names={["rateJSON.minutes", "rateJSON"]} error={error}>
            {(control) => (
              <input
                {...control}
                type="number"
                min={1}
                required
                value={draft.minutes}
                onInput={(event) => onChange({ minutes: event.currentTarget.value })}
              />
            )}
          </Field>
        )}
      </div>
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            checked={draft.leavesOut}
            aria-describedby="channel-leaves-out-help"
            onChange={(event) => onChange({ leavesOut: event.currentTarget.checked })}
          />
          {text.leavesOut}
        </label>
        <p class="help" id="channel-leaves-out-help">{text.leavesOutHelp}</p>
      </div>
      {draft.leavesOut && (
        <Field id="channel-seconds" label={text.seconds} names={["hashLife"]} error={error}>
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              required
              value={draft.seconds}
              onInput={(event) => onChange({ seconds: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
    </fieldset>
  );
}
