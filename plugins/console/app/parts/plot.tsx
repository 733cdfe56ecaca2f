import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../shell/theme.ts";
import { language } from "../texts/mod.ts";
import type { ChartProps } from "./chart.tsx";

/** The drawing of a chart. Its colours are those of the page, and change with the theme. */
export default function Plot(props: ChartProps & { readonly height: number }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const { times, series, kind, format, height, onSelect } = props;
  useEffect(() => {
    const element = host.current!;
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        padding: [8, 8, 0, 0],
        cursor: { drag: { setScale: false, x: onSelect !== undefined, y: false } },
        scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
        axes: [
          { ...axis(), values: (_, ticks) => ticks.map((at) => dateFormat(times).format(at * 1000)), space: 90 },
          { ...axis(), values: (_, ticks) => ticks.map(format), size: 70 },
        ],
        series: [
          {},
          ...series.map(({ label, colour }) => ({
            label,
            stroke: variable(`--${colour}`),
            width: 1.5,
            points: { show: times.length < 3 },
            ...kind === "bars" && {
              paths: uPlot.paths.bars!({ size: [0.7, 40] }),
              fill: variable(`--${colour}`),
              width: 0,
            },
          })),
        ],
        hooks: {
          setSelect: [({ select, posToVal }) => {
            if (select.width < 4) return;
            onSelect?.(Math.floor(posToVal(select.left, "x")), Math.ceil(posToVal(select.left + select.width, "x")));
          }],
        },
      },
      [[...times], ...series.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, series, kind, height, theme.value, language.value]);
  return <div ref={host} />;
}

function axis(): uPlot.Axis {
  const stroke = variable("--faint");
  const line = { stroke: variable("--line"), width: 1 };
  return { stroke, grid: line, ticks: { ...line, size: 4 }, font: `12px ${variable("--font")}` };
}

/** Days have dates; within two days there are times. */
function dateFormat(times: readonly number[]): Intl.DateTimeFormat {
  const isShort = (times.at(-1) ?? 0) - (times[0] ?? 0) <= 2 * 86_400;
  const options: Intl.DateTimeFormatOptions = isShort
    ? { hour: "2-digit", minute: "2-digit" }
    : { month: "short", day: "numeric" };
  return new Intl.DateTimeFormat(language.value, options);
}

function variable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
