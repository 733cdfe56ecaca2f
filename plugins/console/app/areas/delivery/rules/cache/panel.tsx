import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../../parts/action_dialog.tsx";
import { Failure } from "../../../../parts/failure.tsx";
import { Skeleton } from "../../../../parts/skeleton.tsx";
import type { ObjectProps } from "../../../../shell/area.ts";
import { mayCall } from "../../../../shell/state.ts";
import { fill } from "../../../../texts/fill.ts";
import { useChanges } from "../common/changes.tsx";
import { useFresh } from "../common/fresh.ts";
import { moved, without } from "../common/order.ts";
import { texts as common } from "../common/texts.ts";
import { matchText } from "./kinds.ts";
import { type CacheRef, loadRefs, saveRefs, UPDATE } from "./refs.ts";
import { RuleDialog } from "./rule_dialog.tsx";
import { RuleRows } from "./rule_rows.tsx";
import { texts } from "./texts.ts";

/** A form or a question that is open, with the rules that the reader saw then. */
interface Doing {
  readonly what: "edit" | "remove";
  readonly index: number;
  readonly seen: readonly CacheRef[];
}

/** The rules by which a policy caches responses. */
export default function CacheRulesPanel({ id }: ObjectProps): JSX.Element {
  const [doing, setDoing] = useState<Doing>();
  const loaded = useFresh((signal) => loadRefs(id, signal));
  const changes = useChanges(loaded.refresh);
  const { value: text } = texts;
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === undefined) return <Skeleton rows={4} />;
  const rules = loaded.value;
  const close = () => setDoing(undefined);
  const nameOf = (index: number) => fill(text.ruleNumber, { number: index + 1 });
  const { isOn: isTurnedOn, isOff: isTurnedOff, isMoved, isRemoved } = common.value;
  const switchRule = (index: number) => {
    const isOn = rules[index]!.isOn !== true;
    const done = fill(isOn ? isTurnedOn : isTurnedOff, { name: nameOf(index) });
    return changes.make(done, () => saveRefs(id, rules, rules.with(index, { ...rules[index]!, isOn })));
  };
  return (
    <section class="panel rules">
      <div class="bar">
        <h2>{text.title}</h2>
        <span class="sp" />
        {mayCall(UPDATE) && (
          <button
            type="button"
            class="btn"
            onClick={() => setDoing({ what: "edit", index: rules.length, seen: rules })}
          >
            {text.add}
          </button>
        )}
      </div>
      {rules.length === 0 ? <p class="empty">{text.none}</p> : (
        <>
          <p class="rule-help">{text.help}</p>
          <RuleRows
            rules={rules}
            mayChange={mayCall(UPDATE)}
            onMove={(index, step) =>
              changes.make(
                fill(isMoved, { name: nameOf(index) }),
                () => saveRefs(id, rules, moved(rules, index, step)),
              )}
            onSwitch={switchRule}
            onEdit={(index) => setDoing({ what: "edit", index, seen: rules })}
            onRemove={(index) => setDoing({ what: "remove", index, seen: rules })}
          />
        </>
      )}
      {changes.notice}
      {doing?.what === "edit" && (
        <RuleDialog
          policyId={id}
          seen={doing.seen}
          index={doing.index}
          onDone={changes.settle}
          onClose={close}
        />
      )}
      {doing?.what === "remove" && (
        <ActionDialog
          title={fill(common.value.removeTitle, { name: fill(text.ruleOf, { number: doing.index + 1 }) })}
          action={common.value.remove}
          isDangerous
          onAct={() =>
            changes.make(
              fill(isRemoved, { name: nameOf(doing.index) }),
              () => saveRefs(id, doing.seen, without(doing.seen, doing.index)),
            )}
          onClose={close}
        >
          <RemovedRule rule={doing.seen[doing.index]!} />
        </ActionDialog>
      )}
    </section>
  );
}

function RemovedRule({ rule }: { readonly rule: CacheRef }): JSX.Element {
  return (
    <>
      <p>{matchText(rule)}</p>
      <p>{common.value.removeHelp}</p>
    </>
  );
}
