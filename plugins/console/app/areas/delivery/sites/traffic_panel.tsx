import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Chart } from "../../../parts/chart.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { bytes } from "../../../parts/units.ts";
import type { ObjectProps } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { count } from "../../../texts/mod.ts";
import { texts } from "./texts.ts";

const SPANS = {
  hours: { path: "ServerDailyStatService/findLatestServerHourlyStats", request: { hours: 48 } },
  days: { path: "ServerDailyStatService/findLatestServerDailyStats", request: { days: 30 } },
} as const;
type Span = keyof typeof SPANS;

interface Stat {
  /** YYYYMMDD. */
  readonly day?: string;
  /** YYYYMMDDHH. */
  readonly hour?: string;
  readonly bytes: bigint;
  readonly cachedBytes: bigint;
  readonly countRequests: bigint;
}

/** The traffic of a site, by hour or day. */
export default function TrafficPanel({ id }: ObjectProps): JSX.Element {
  const offered = (Object.keys(SPANS) as Span[]).filter((span) => mayCall(SPANS[span].path));
  const [span, setSpan] = useState<Span>(offered[0]!);
  const { value: text } = texts;
  const { path, request } = SPANS[span];
  const loaded = useLoaded(async (signal) => {
    const { stats } = await callPath(path, { serverId: id, ...request }, signal);
    return stats as readonly Stat[];
  }, [id, span]);
  return (
    <section class="panel card">
      <div class="bar">
        {offered.map((one) => (
          <button
            key={one}
            type="button"
            class={one === span ? "chip on" : "chip"}
            aria-pressed={one === span}
            onClick={() => setSpan(one)}
          >
            {text[one]}
          </button>
        ))}
      </div>
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      {loaded.error === undefined && loaded.value === undefined && <Skeleton rows={5} />}
      {loaded.value !== undefined && <Figures stats={loaded.value} />}
    </section>
  );
}

function Figures({ stats }: { stats: readonly Stat[] }): JSX.Element {
  const { value: text } = texts;
  const sumOf = (field: "bytes" | "cachedBytes" | "countRequests") =>
    stats.reduce((sum, stat) => sum + stat[field], 0n);
  const requests = sumOf("countRequests");
  if (requests === 0n && sumOf("bytes") === 0n) return <p class="empty">{text.noTraffic}</p>;
  const figures = [
    [text.sent, bytes(Number(sumOf("bytes")))],
    [text.cached, bytes(Number(sumOf("cachedBytes")))],
    [text.requests, count(requests)],
  ] as const;
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
          { label: text.sent, values: stats.map((stat) => Number(stat.bytes)), colour: "accent" },
          { label: text.cached, values: stats.map((stat) => Number(stat.cachedBytes)), colour: "ok" },
        ]}
        format={bytes}
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
