import type { JSX } from "preact";
import { texts, time } from "../texts/mod.ts";
import { Lazy } from "./lazy.tsx";

/** One line or one set of bars. */
export interface Series {
  readonly label: string;
  /** One value for each time; null where there is none. */
  readonly values: readonly (number | null)[];
  readonly colour: "accent" | "ok" | "warn" | "bad";
}

export interface ChartProps {
  readonly title: string;
  /** Unix seconds, growing. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly kind: "line" | "bars";
  /** Writes a value with its unit, such as `12 MB`. */
  readonly format: (value: number) => string;
  /** Height in pixels. */
  readonly height?: number;
  /** Called with the first and last unix second that the reader marked by dragging. */
  readonly onSelect?: ((from: number, to: number) => void) | undefined;
}

const load = () => import("./plot.tsx");

/** A chart over time, and the same figures as a table for those who do not see it. */
export function Chart(props: ChartProps): JSX.Element {
  const { title, times, series, format, height = 180 } = props;
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}</b>
        {series.map(({ label, colour }) => <span key={label} class={`key ${colour}`}>{label}</span>)}
      </figcaption>
      {times.length === 0 ? <p class="empty">{texts.value.noData}</p> : (
        <div aria-hidden="true" class="plot">
          <Lazy load={load} props={{ ...props, height }} />
        </div>
      )}
      <details>
        <summary>{texts.value.asTable}</summary>
        <div class="scroll">
          <table class="list">
            <thead>
              <tr>
                <th>{texts.value.time}</th>
                {series.map(({ label }) => <th key={label} class="num">{label}</th>)}
              </tr>
            </thead>
            <tbody>
              {times.map((at, index) => (
                <tr key={at}>
                  <td>{time(BigInt(at))}</td>
                  {series.map(({ label, values }) => (
                    <td key={label} class="num">{values[index] == null ? "–" : format(values[index])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
