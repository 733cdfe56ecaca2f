import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Chart } from "../../../parts/chart.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { mayCall } from "../../../shell/state.ts";
import { bytesText } from "../../../texts/amounts.ts";
import { fill } from "../../../texts/fill.ts";
import { count } from "../../../texts/mod.ts";
import { type HourOfQueries, HOURS_OF_RECORD, loadRecord, type Queries, type RecordOfQueries } from "./load.ts";
import { SumTable } from "./sum_table.tsx";
import { texts } from "./texts.ts";

/** The queries of a time: sums, a chart by hour, and tables. */
export function QueryFigures({ queries }: { queries: Queries }): JSX.Element {
  const { value: text } = texts;
  const [chosen, setChosen] = useState<RecordOfQueries>();
  const { countRequests, bytes, codes, types, records, hours } = queries;
  if (countRequests === 0n && records.length === 0) return <p class="empty">{text.none}</p>;
  const withCode = (...names: string[]) =>
    codes.reduce((sum, code) => names.includes(code.name) ? sum + code.countRequests : sum, 0n);
  const figures = [
    [text.queries, count(countRequests)],
    [text.responses, bytesText(bytes)],
    [text.missing, count(withCode("NXDOMAIN"))],
    [text.failed, count(withCode("SERVFAIL", "FORMERR", "NOTIMP"))],
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
      {chosen === undefined
        ? <Hours title={text.byHour} hours={hours} />
        : <HoursOfRecord record={chosen} onClose={() => setChosen(undefined)} />}
      <div class="halves">
        <SumTable title={text.byType} heading={text.type} rows={types.map(rowOf)} total={countRequests} />
        <SumTable title={text.byCode} heading={text.code} rows={codes.map(rowOf)} total={countRequests} />
      </div>
      <SumTable
        title={text.byRecord}
        help={text.byRecordHelp}
        heading={text.record}
        total={countRequests}
        rows={records.map((record) => ({
          key: `${record.nsRecordId}`,
          name: nameOf(record),
          countRequests: record.countRequests,
          onChoose: record.nsRecordId > 0n && mayCall(HOURS_OF_RECORD) ? () => setChosen(record) : undefined,
        }))}
      />
    </>
  );
}

function HoursOfRecord({ record, onClose }: { record: RecordOfQueries; onClose: () => void }): JSX.Element {
  const loaded = useLoaded((signal) => loadRecord(record.nsRecordId, signal), [record.nsRecordId]);
  return (
    <>
      <div class="bar">
        <button type="button" class="chip" onClick={onClose}>{texts.value.allQueries}</button>
      </div>
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      <Hours title={fill(texts.value.ofRecord, { name: nameOf(record) })} hours={loaded.value ?? []} />
    </>
  );
}

function Hours({ title, hours }: { title: string; hours: readonly HourOfQueries[] }): JSX.Element {
  return (
    <Chart
      title={title}
      kind="bars"
      times={hours.map(({ createdAt }) => Number(createdAt))}
      series={[{
        label: texts.value.queries,
        values: hours.map(({ countRequests }) => Number(countRequests)),
        colour: "accent",
      }]}
      format={(value) => count(value)}
    />
  );
}

function rowOf({ name, countRequests }: { name: string; countRequests: bigint }) {
  const { other, unknown } = texts.value;
  return { key: name, name: name === "" ? unknown : name === "OTHER" ? other : name, countRequests };
}

function nameOf({ nsRecordId, name, type, isDeleted }: RecordOfQueries): string {
  if (nsRecordId === 0n) return texts.value.noRecord;
  return isDeleted ? fill(texts.value.deletedRecord, { name: `${name} ${type}` }) : `${name} ${type}`;
}
