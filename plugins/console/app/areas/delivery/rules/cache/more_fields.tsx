import type { JSX } from "preact";
import { errorAbout } from "../../../../parts/forms/error_about.ts";
import { type Amount, AmountField, DURATIONS } from "../common/amounts.tsx";
import { CheckField } from "../common/inputs.tsx";
import { type CacheRef, type Expires, FLAGS } from "./refs.ts";
import { texts } from "./texts.ts";

interface MoreFieldsProps {
  /** The path of the rule in the request. */
  readonly path: string;
  readonly error: string | undefined;
  readonly rule: CacheRef;
  readonly onChange: (changes: Partial<CacheRef>) => void;
}

/** The settings of a rule that are seldom changed. */
export function MoreFields({ path, error, rule, onChange }: MoreFieldsProps): JSX.Element {
  const { value: text } = texts;
  const expires = rule.expiresTime;
  const name = `${path}.expiresTime.duration`;
  const change = (changes: Partial<Expires>) => onChange({ expiresTime: { ...expires, ...changes } });
  const changeDuration = (duration: Amount | undefined) => {
    const { duration: _, ...others } = expires!;
    onChange({ expiresTime: duration === undefined ? others : { ...others, duration } });
  };
  return (
    <details class="rule-part" open={errorAbout([name], error) !== undefined || undefined}>
      <summary>{text.more}</summary>
      <div class="rule-checks tall">
        {FLAGS.map((flag) => (
          <CheckField
            key={flag}
            label={text.flags[flag]}
            value={rule[flag] ?? false}
            onChange={(value) => onChange({ [flag]: value })}
          />
        ))}
        <CheckField label={text.expires} value={expires?.isOn ?? false} onChange={(isOn) => change({ isOn })} />
        {expires?.isOn && (
          <>
            <CheckField
              label={text.expiresOverwrite}
              value={expires.overwrite ?? false}
              onChange={(overwrite) => change({ overwrite })}
            />
            <CheckField
              label={text.expiresAuto}
              value={expires.autoCalculate ?? false}
              onChange={(autoCalculate) => change({ autoCalculate })}
            />
          </>
        )}
      </div>
      {expires?.isOn && !expires.autoCalculate && (
        <AmountField
          {...{ id: "rule-expires", label: text.expiresLife, name, error }}
          units={DURATIONS}
          unit="hour"
          value={expires.duration}
          onChange={changeDuration}
        />
      )}
    </details>
  );
}
