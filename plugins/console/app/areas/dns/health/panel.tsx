import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { LoadedList } from "../../../parts/lists/loaded_list.tsx";
import { Spans } from "../../../parts/lists/spans.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import type { ObjectProps } from "../../../shell/area.ts";
import { mayCall } from "../../../shell/state.ts";
import { count, plural } from "../../../texts/mod.ts";
import { ServeAgain } from "./serve_again.tsx";
import { HealthRow } from "./health_row.tsx";
import { CheckDialog } from "./check_dialog.tsx";
import { type HealthState, loadStates } from "./states.ts";
import { texts } from "./texts.ts";

const SHOWN = ["all", "isDown"] as const;

/** The records of a domain whose addresses nodes check: whether they are up, and which nodes say that they are not. */
export default function HealthPanel({ id, reload }: ObjectProps): JSX.Element {
  const { value: text } = texts;
  const [shown, setShown] = useState<(typeof SHOWN)[number]>("all");
  const [offset, setOffset] = useState(0);
  const [isSetting, setSetting] = useState(false);
  const [returning, setReturning] = useState<HealthState>();
  const isDown = shown === "isDown";
  const page = useLoaded((signal) => loadStates({ nsDomainId: id, isDown }, offset, signal), [id, isDown, offset]);
  const nodes = page.value?.countActiveNodes ?? 0n;
  return (
    <section class="panel">
      <div class="bar">
        <Spans
          offered={SHOWN.map((one) => [one, text[one]])}
          chosen={shown}
          onChoose={(one) => {
            setOffset(0);
            setShown(one);
          }}
        />
        {page.value !== undefined && <span class="dim">{plural(text.nodes, Number(nodes))}</span>}
        <span class="sp" />
        {mayCall("NSDomainService/updateNSDomainRecordsHealthCheck") && (
          <button
            type="button"
            class="btn"
            onClick={() => setSetting(true)}
          >
            {text.set}
          </button>
        )}
      </div>
      <LoadedList
        page={page}
        offset={offset}
        onMove={setOffset}
        empty={isDown ? text.noneDown : text.none}
        columns={[
          { name: text.record },
          { name: text.address },
          { name: text.state },
          { name: text.check },
          { name: text.reports },
          { name: text.actions, isHidden: true },
        ]}
      >
        {(state: HealthState) => (
          <HealthRow key={String(state.nsRecordId)} state={state} nodes={count(nodes)} onReturn={setReturning} />
        )}
      </LoadedList>
      {isSetting && (
        <CheckDialog
          nsDomainId={id}
          onDone={() => {
            reload();
            page.reload();
          }}
          onClose={() => setSetting(false)}
        />
      )}
      {returning !== undefined && (
        <ServeAgain
          state={returning}
          onDone={page.reload}
          onClose={() => setReturning(undefined)}
        />
      )}
    </section>
  );
}
