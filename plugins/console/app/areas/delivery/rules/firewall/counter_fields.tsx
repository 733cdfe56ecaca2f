import type { JSX } from "preact";
import { CheckField, LinesField, NumberField } from "../common/inputs.tsx";
import { texts } from "./texts.ts";

type Options = Readonly<Record<string, unknown>>;

interface CounterFieldsProps {
  readonly path: string;
  readonly error: string | undefined;
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

/** The settings of the part that counts requests. */
export function CounterFields({ path, error, options, onChange }: CounterFieldsProps): JSX.Element {
  const { keys, period, ignoreCommonFiles } = options;
  const { value: text } = texts;
  return (
    <>
      <div class="rule-fields">
        <LinesField
          {...{ id: "rule-keys", label: text.periodKeys, help: text.periodKeysHelp, names: [`${path}.keys`], error }}
          value={Array.isArray(keys) ? keys.map(String) : []}
          onChange={(lines) => onChange({ ...options, keys: lines })}
        />
        <NumberField
          {...{ id: "rule-period", label: text.period, names: [`${path}.period`], error }}
          value={period === undefined ? undefined : Number(period)}
          onChange={(seconds) => onChange({ ...options, period: seconds })}
        />
      </div>
      <CheckField
        label={text.ignoreCommonFiles}
        value={ignoreCommonFiles === true}
        onChange={(value) => onChange({ ...options, ignoreCommonFiles: value })}
      />
    </>
  );
}
