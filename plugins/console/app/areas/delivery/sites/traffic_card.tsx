import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { callPath } from "../../../shell/call.ts";
import { Spans } from "../../../parts/lists/spans.tsx";
import { texts } from "./texts.ts";
import { type Stat, TrafficFigures } from "./traffic_figures.tsx";

type Span = "hourlyTrafficStats" | "dailyTrafficStats";

/** The traffic of all sites, on the overview of operators. */
export default function TrafficCard(): JSX.Element {
  const [span, setSpan] = useState<Span>("hourlyTrafficStats");
  const { value: text } = texts;
  const loaded = useLoaded((signal) => callPath("AdminService/composeAdminDashboard", {}, signal), []);
  const offered = [["hourlyTrafficStats", text.lastDay], ["dailyTrafficStats", text.lastDays]] as const;
  return (
    <section class="panel card">
      <div class="bar">
        <h2>{text.traffic}</h2>
        <span class="sp" />
        <Spans offered={offered} chosen={span} onChoose={setSpan} />
      </div>
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      {loaded.error === undefined && loaded.value === undefined && <Skeleton rows={5} />}
      {loaded.value !== undefined && <TrafficFigures stats={loaded.value[span] as readonly Stat[]} />}
    </section>
  );
}
