import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Spans } from "../../../parts/lists/spans.tsx";
import { callPath } from "../../../shell/call.ts";
import { GENERATE } from "./bill.ts";
import { texts } from "./texts.ts";

const DAY = 86_400_000;

/** Writes the bills of a month or a day that has ended. */
export function GenerateDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }): JSX.Element {
  const [span, setSpan] = useState<"month" | "day">("month");
  const [month, setMonth] = useState(lastMonth());
  const [day, setDay] = useState(new Date(Date.now() - DAY).toISOString().slice(0, 10));
  const { value: text } = texts;
  const isMonth = span === "month";
  return (
    <ActionDialog
      title={text.generate}
      action={text.generate}
      onAct={async () => {
        await callPath(GENERATE, isMonth ? { month: month.replace("-", "") } : { day });
        onDone();
      }}
      onClose={onClose}
    >
      <p>{text.generateHelp}</p>
      <div class="actions start">
        <Spans offered={[["month", text.ofMonth], ["day", text.ofDay]]} chosen={span} onChoose={setSpan} />
      </div>
      <div class="field">
        <label for="generate-span">{isMonth ? text.month : text.day}</label>
        <input
          key={span}
          id="generate-span"
          type={isMonth ? "month" : "date"}
          required
          value={isMonth ? month : day}
          onInput={(event) => isMonth ? setMonth(event.currentTarget.value) : setDay(event.currentTarget.value)}
        />
      </div>
    </ActionDialog>
  );
}

function lastMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getFullYear(), now.getMonth() - 1, 1)).toISOString().slice(0, 7);
}
