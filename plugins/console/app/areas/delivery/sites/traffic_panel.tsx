import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { Spans } from "../../../parts/lists/spans.tsx";
import { texts } from "./texts.ts";
import { type Stat, TrafficFigures } from "./traffic_figures.tsx";

const SPANS = {
  hours: { path: "ServerDailyStatService/findLatestServerHourlyStats", request: { hours: 48 } },
  days: { path: "ServerDailyStatService/findLatestServerDailyStats", request: { days: 30 } },
} as const;
type Span = keyof typeof SPANS;

/** The traffic of a site, by hour or day. */
export default function TrafficPanel({ id }: ObjectProps): JSX.Element {
  const offered = (Object.keys(SPANS) as Span[]).filter((span) => mayCall(SPANS[span].path));
  const [span, setSpan] = useState<Span>(offered[0]!);
  const { path, request } = SPANS[span];
  const loaded = useLoaded(async (signal) => {
    const { stats } = await callPath(path, { serverId: id, ...request }, signal);
    return stats as readonly Stat[];
  }, [id, span]);
  return (
    <section class="panel card">
      <div class="bar">
        <Spans offered={offered.map((one) => [one, texts.value[one]])} chosen={span} onChoose={setSpan} />
      </div>
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      {loaded.error === undefined && loaded.value === undefined && <Skeleton rows={5} />}
      {loaded.value !== undefined && <TrafficFigures stats={loaded.value} />}
    </section>
  );
}
