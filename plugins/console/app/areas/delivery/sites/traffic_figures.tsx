import type { JSX } from "preact";
import { Chart } from "../../../parts/chart.tsx";
import { bytesText, byteUnit } from "../../../texts/amounts.ts";
import { count } from "../../../texts/mod.ts";
import { texts } from "./texts.ts";

/** The traffic of an hour or a day. */
export interface Stat {
  /** YYYYMMDD. */
  readonly day?: string;
  /** YYYYMMDDHH. */
  readonly hour?: string;
  readonly bytes: bigint;
  readonly cachedBytes: bigint;
  readonly countRequests: bigint;
  readonly countAttackRequests?: bigint;
}

/** The traffic of a time: its sums, and a chart. */
export function TrafficFigures({ stats }: { stats: readonly Stat[] }): JSX.Element {
  const { value: text } = texts;
  const sumOf = (field: "bytes" | "cachedBytes" | "countRequests") =>
    stats.reduce((sum, stat) => sum + stat[field], 0n);
  const requests = sumOf("countRequests");
  if (requests === 0n && sumOf("bytes") === 0n) return <p class="empty">{text.noTraffic}</p>;
  const attacks = stats[0]?.countAttackRequests === undefined
    ? undefined
    : stats.reduce((sum, { countAttackRequests = 0n }) => sum + countAttackRequests, 0n);
  const unit = byteUnit(Math.max(...stats.map((stat) => Number(stat.bytes))));
  const figures = [
    [text.sent, bytesText(sumOf("bytes"))],
    [text.cached, bytesText(sumOf("cachedBytes"))],
    [text.requests, count(requests)],
    ...attacks === undefined ? [] : [[text.attacks, count(attacks)]],
  ];
  return (
    <>
      <dl class="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Chart
        title={text.traffic}
        kind="bars"
        times={stats.map(startOf)}
        series={[
          { label: text.sent, values: stats.map((stat) => Number(stat.bytes) / unit), colour: "accent" },
          { label: text.cached, values: stats.map((stat) => Number(stat.cachedBytes) / unit), colour: "ok" },
        ]}
        format={(value) => bytesText(value * unit)}
      />
    </>
  );
}

/** Returns the hour, or noon of the day, in the time zone of the reader. */
function startOf({ day, hour }: Stat): number {
  const digits = hour ?? `${day}12`;
  const [year, month, date, at] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8), digits.slice(8)];
  return new Date(Number(year), Number(month) - 1, Number(date), Number(at)).getTime() / 1000;
}
