import type { JSX } from "preact";
import { Chart } from "../../../parts/chart.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { callPath } from "../../../shell/call.ts";
import { count } from "../../../texts/mod.ts";
import { bytesText, byteUnit, monthText } from "../../../texts/amounts.ts";
import { texts } from "./texts.ts";

interface DayOfTraffic {
  readonly day: string;
  readonly bytes: bigint;
  readonly cachedBytes: bigint;
  readonly countRequests: bigint;
}

/** The traffic of the customer's sites this month. */
export default function Traffic(): JSX.Element {
  const loaded = useLoaded((signal) => loadMonth(new Date(), signal), []);
  const { value: text } = texts;
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === undefined) return <Skeleton rows={4} />;
  const { days, month } = loaded.value;
  const sumOf = (field: "bytes" | "cachedBytes" | "countRequests") => days.reduce((sum, day) => sum + day[field], 0n);
  const unit = byteUnit(Math.max(...days.map((day) => Number(day.bytes))));
  const [bytes, requests] = [sumOf("bytes"), sumOf("countRequests")];
  return (
    <section class="panel card">
      <h2>
        {text.traffic} <span class="dim">{monthText(month)}</span>
      </h2>
      {bytes === 0n && requests === 0n ? <p class="todo dim">{text.noTraffic}</p> : (
        <>
          <dl class="figures">
            <Figure name={text.sent} value={bytesText(bytes)} />
            <Figure name={text.cached} value={bytesText(sumOf("cachedBytes"))} />
            <Figure name={text.requests} value={count(requests)} />
            <Figure name={text.today} value={bytesText(days.at(-1)?.bytes ?? 0n)} />
          </dl>
          <Chart
            title={text.byDay}
            kind="bars"
            times={days.map(({ day }) => noonOf(day))}
            series={[
              { label: text.sent, values: days.map((day) => Number(day.bytes) / unit), colour: "accent" },
              { label: text.cached, values: days.map((day) => Number(day.cachedBytes) / unit), colour: "ok" },
            ]}
            format={(value) => bytesText(value * unit)}
          />
        </>
      )}
    </section>
  );
}

/** Returns every day of the month until today; days without traffic have zeros. */
async function loadMonth(now: Date, signal: AbortSignal): Promise<{ month: string; days: readonly DayOfTraffic[] }> {
  const month = `${now.getFullYear()}${String(now.getMonth() + 1).padStart(2, "0")}`;
  const names = Array.from({ length: now.getDate() }, (_, index) => `${month}${String(index + 1).padStart(2, "0")}`);
  const request = { dayFrom: names[0], dayTo: names.at(-1) };
  const { stats } = await callPath("ServerDailyStatService/findServerDailyStatsBetweenDays", request, signal);
  const found = new Map((stats as readonly DayOfTraffic[]).map((stat) => [stat.day, stat]));
  const none = { bytes: 0n, cachedBytes: 0n, countRequests: 0n };
  return { month, days: names.map((day) => found.get(day) ?? { ...none, day }) };
}

/** Returns a time within a day, in the time zone of the reader. */
function noonOf(day: string): number {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].map(Number);
  return new Date(year!, month! - 1, date, 12).getTime() / 1000;
}

function Figure({ name, value }: { name: string; value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
