import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { fill } from "../../../../texts/fill.ts";
import { AmountField, DURATIONS, SIZES } from "../common/amounts.tsx";
import { FormDialog } from "../common/form_dialog.tsx";
import { CheckField, TextField, WordsField } from "../common/inputs.tsx";
import { placed } from "../common/order.ts";
import { texts as common } from "../common/texts.ts";
import { condOf, PRESETS } from "./kinds.ts";
import { MatchFields } from "./match_fields.tsx";
import { MoreFields } from "./more_fields.tsx";
import { type CacheRef, saveRefs } from "./refs.ts";
import { texts } from "./texts.ts";

/** A new rule: common files of pages, for two hours. */
const NEW: CacheRef = {
  isOn: true,
  key: "${scheme}://${host}${requestURI}",
  life: { count: 2, unit: "hour" },
  status: [200],
  maxSize: { count: 32, unit: "mb" },
  skipSetCookie: true,
  allowChunkedEncoding: true,
  allowPartialContent: true,
};

interface RuleDialogProps {
  readonly policyId: bigint;
  /** The rules that the reader saw. */
  readonly seen: readonly CacheRef[];
  /** The place of the rule; a new one after the last. */
  readonly index: number;
  /** Loads the rules again, saved or not. */
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Adds a cache rule to a policy, or changes one. */
export function RuleDialog({ policyId, seen, index, onDone, onClose }: RuleDialogProps): JSX.Element {
  const current = seen[index];
  const [rule, setRule] = useState<CacheRef>(
    current ?? { ...NEW, simpleCond: { ...condOf(PRESETS["url-extension"]), type: "url-extension" } },
  );
  const { value: text } = texts;
  const path = `refsJSON[${index}]`;
  const change = (changes: Partial<CacheRef>) => setRule({ ...rule, ...changes });
  async function save(): Promise<void> {
    try {
      await saveRefs(policyId, seen, placed(seen, index, rule));
    } finally {
      await onDone();
    }
  }
  return (
    <FormDialog
      title={current === undefined ? text.add : fill(text.editTitle, { number: index + 1 })}
      action={current === undefined ? text.add : common.value.save}
      onSave={save}
      onClose={onClose}
    >
      {(error) => (
        <>
          <MatchFields path={path} error={error} rule={rule} onChange={setRule} />
          <fieldset class="rule-part">
            <legend>{text.settings}</legend>
            <div class="rule-fields">
              <AmountField
                {...{ id: "rule-life", label: text.life, name: `${path}.life`, error }}
                help={text.lifeHelp}
                units={DURATIONS}
                unit="hour"
                value={rule.life}
                onChange={(life) => setRule(withAmount(rule, "life", life))}
              />
              <AmountField
                {...{ id: "rule-min-size", label: text.minSize, name: `${path}.minSize`, error }}
                units={SIZES}
                unit="kb"
                value={rule.minSize}
                onChange={(minSize) => setRule(withAmount(rule, "minSize", minSize))}
              />
              <AmountField
                {...{ id: "rule-max-size", label: text.maxSize, name: `${path}.maxSize`, error }}
                help={text.maxSizeHelp}
                units={SIZES}
                unit="mb"
                value={rule.maxSize}
                onChange={(maxSize) => setRule(withAmount(rule, "maxSize", maxSize))}
              />
              <WordsField
                {...{ id: "rule-status", label: text.status, names: [`${path}.status`], error }}
                help={text.statusHelp}
                pattern="[0-9 ,]*"
                value={(rule.status ?? []).map(String)}
                onChange={(words) => change({ status: words.map(Number) })}
              />
              <WordsField
                {...{ id: "rule-methods", label: text.methods, names: [`${path}.methods`], error }}
                help={text.methodsHelp}
                value={rule.methods ?? []}
                onChange={(methods) => change({ methods })}
              />
              <WordsField
                {...{ id: "rule-skip", label: text.skipCacheControl, error }}
                names={[`${path}.skipCacheControlValues`]}
                help={text.skipCacheControlHelp}
                value={rule.skipCacheControlValues ?? []}
                onChange={(skipCacheControlValues) => change({ skipCacheControlValues })}
              />
            </div>
            <TextField
              {...{ id: "rule-key", label: text.key, names: [`${path}.key`], error }}
              help={text.keyHelp}
              isMono
              value={rule.key ?? ""}
              onChange={(key) => change({ key })}
            />
            <CheckField label={text.isOn} value={rule.isOn ?? false} onChange={(isOn) => change({ isOn })} />
          </fieldset>
          <MoreFields path={path} error={error} rule={rule} onChange={change} />
        </>
      )}
    </FormDialog>
  );
}

/** Returns the rule with another amount; without one, the rule does not have the field. */
function withAmount(rule: CacheRef, name: "life" | "minSize" | "maxSize", amount: CacheRef["life"]): CacheRef {
  const { [name]: _, ...others } = rule;
  return amount === undefined ? others : { ...others, [name]: amount };
}
