import type { JSX } from "preact";
import { CheckField, ChoiceField, LinesField, TextField } from "../common/inputs.tsx";
import { operatorText } from "../common/operator_texts.ts";
import { isOfRequest, type ParamName } from "../common/params.ts";
import { PartField } from "../common/part_field.tsx";
import { servedValues } from "../common/served.ts";
import { texts as common } from "../common/texts.ts";
import { hasList, hasValue, listIn, withOperator } from "./kinds.ts";
import { type Cond, UPDATE } from "./refs.ts";
import { texts } from "./texts.ts";

/** The parts that cache rules compare. */
const PARTS: readonly ParamName[] = [
  ...["requestPath", "requestURI", "requestPathExtension", "requestPathLowerExtension", "requestURL"] as const,
  ...["requestMethod", "scheme", "proto", "host", "arg", "header", "cookie", "referer", "referer.host"] as const,
  ...["remoteAddr", "rawRemoteAddr", "remoteUser", "status", "response.contentType", "response.header"] as const,
];

interface CondFieldsProps {
  /** The start of the ids of the controls. */
  readonly id: string;
  /** The path of the comparison in the request. */
  readonly path: string;
  readonly error: string | undefined;
  readonly cond: Cond;
  readonly onChange: (cond: Cond) => void;
}

/** The fields of one comparison. */
export function CondFields({ id, path, error, cond, onChange }: CondFieldsProps): JSX.Element {
  const { value: text } = common;
  const { param = "", operator = "", value = "" } = cond;
  const valueField = { id: `${id}-value`, label: text.value, names: [`${path}.value`], error };
  return (
    <>
      <div class="rule-fields">
        <PartField
          id={`${id}-param`}
          names={[`${path}.param`]}
          error={error}
          offered={PARTS}
          value={param}
          onChange={(changed) => onChange({ ...cond, param: changed, isRequest: isOfRequest(changed) })}
        />
        <ChoiceField
          id={`${id}-operator`}
          label={text.comparison}
          names={[`${path}.operator`]}
          error={error}
          values={servedValues(UPDATE, "refsJSON", ["simpleCond", "operator"])}
          nameOf={operatorText}
          value={operator}
          onChange={(changed) => onChange(withOperator(cond, changed))}
        />
        {hasValue(operator) && hasList(operator) && (
          <LinesField
            {...valueField}
            help={text.valuesHelp}
            value={listIn(value)}
            onChange={(list) => onChange({ ...cond, value: JSON.stringify(list) })}
          />
        )}
        {hasValue(operator) && !hasList(operator) && (
          <TextField
            {...valueField}
            isMono
            value={value}
            onChange={(typed) => onChange({ ...cond, value: typed })}
          />
        )}
      </div>
      <div class="rule-checks">
        <CheckField
          label={text.ignoreCase}
          value={cond.isCaseInsensitive ?? false}
          onChange={(isCaseInsensitive) => onChange({ ...cond, isCaseInsensitive })}
        />
        <CheckField
          label={texts.value.negate}
          value={cond.isReverse ?? false}
          onChange={(isReverse) => onChange({ ...cond, isReverse })}
        />
      </div>
    </>
  );
}
