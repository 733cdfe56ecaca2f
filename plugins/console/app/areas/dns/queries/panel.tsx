import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { Spans } from "../../../parts/lists/spans.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { loadQueries } from "./load.ts";
import { QueryFigures } from "./figures.tsx";
import { texts } from "./texts.ts";

const HOURS = { day: 24, week: 168 } as const;
type Span = keyof typeof HOURS;

/** The queries of a domain that nodes responded to: by hour, and by type, response code and record. */
export default function QueriesPanel({ id }: ObjectProps): JSX.Element {
  const [span, setSpan] = useState<Span>("day");
  const loaded = useLoaded((signal) => loadQueries(id, HOURS[span], signal), [id, span]);
  return (
    <section class="panel card">
      <div class="bar">
        <Spans
          offered={(["day", "week"] as const).map((one) => [one, texts.value[one]])}
          chosen={span}
          onChoose={setSpan}
        />
      </div>
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      {loaded.error === undefined && loaded.value === undefined && <Skeleton rows={5} />}
      {loaded.error === undefined && loaded.value !== undefined && <QueryFigures queries={loaded.value} />}
    </section>
  );
}
