import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Chart } from "../../../parts/chart.tsx";
import { count, language } from "../../../texts/mod.ts";
import { type AccessLog, barsOf } from "./access_logs.ts";
import { texts } from "./texts.ts";

interface TimeLineProps {
  readonly logs: readonly AccessLog[];
  readonly onSelect: (from: number, to: number) => void;
}

/** The requests of the page by time. */
export function TimeLine({ logs, onSelect }: TimeLineProps): JSX.Element {
  const { value: text } = texts;
  const bars = useMemo(() => barsOf(logs), [logs]);
  const series = useMemo(() => [
    { label: text.requests, values: bars.all, colour: "accent" as const },
    { label: text.errors, values: bars.failed, colour: "bad" as const },
  ], [bars, language.value]);
  return (
    <div class="pad time-line">
      <Chart
        title={text.chart}
        times={bars.times}
        series={series}
        kind="bars"
        format={(value) => Number.isInteger(value) ? count(value) : ""}
        height={120}
        onSelect={onSelect}
      />
      <p class="dim">{text.chartHelp}</p>
    </div>
  );
}
