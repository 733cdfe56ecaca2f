import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { Moment } from "../../../parts/lists/moment.tsx";
import type { Loaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { linkTo } from "../../../shell/route.ts";
import { fill } from "../../../texts/fill.ts";
import { count } from "../../../texts/mod.ts";
import { costText, Level } from "./level.tsx";
import type { loadViews, Region, Result } from "./reports.ts";
import { texts } from "./texts.ts";

/** How an address is seen from each region, and from each report node. */
export function Views({ views }: { views: Loaded<Awaited<ReturnType<typeof loadViews>>> }): JSX.Element {
  const { value: text } = texts;
  if (views.error !== undefined) return <Failure error={views.error} onRetry={views.reload} />;
  if (views.value === undefined) return <Skeleton rows={6} />;
  const { regions, results } = views.value;
  return (
    <>
      <div class="head related">
        <h2>{text.byRegion}</h2>
      </div>
      <p class="sub">{text.regionHelp}</p>
      <div class="panel">
        {regions.length === 0 ? <p class="empty">{text.noRegions}</p> : <RegionTable regions={regions} />}
      </div>
      <div class="head related">
        <h2>{text.byNode}</h2>
      </div>
      <p class="sub">{text.nodeHelp}</p>
      <div class="panel">
        {results.length === 0 ? <p class="empty">{text.noResults}</p> : <ResultTable results={results} />}
      </div>
    </>
  );
}

function RegionTable({ regions }: { regions: readonly Region[] }): JSX.Element {
  const { value: text } = texts;
  return (
    <div class="scroll">
      <table class="list regions">
        <thead>
          <tr>
            <th>{text.region}</th>
            <th>{text.carrier}</th>
            <th>{text.level}</th>
            <th>{text.reached}</th>
            <th class="num">{text.time}</th>
            <th>{text.updatedAt}</th>
          </tr>
        </thead>
        <tbody>
          {regions.map((region) => (
            <tr key={`${region.location}\n${region.isp}`}>
              <td class="first">{region.location || <span class="dim">{text.unknown}</span>}</td>
              <td>{region.isp}</td>
              <td>
                <Level level={region.level} />
              </td>
              <td data-name={text.reached}>
                {fill(text.ofNodes, { reached: count(region.countReached), all: count(region.countReportNodes) })}
              </td>
              <td class="num" data-name={text.time}>{costText(region.costMs)}</td>
              <td>
                <Moment at={region.updatedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ResultTable({ results }: { results: readonly Result[] }): JSX.Element {
  const { value: text } = texts;
  return (
    <div class="scroll">
      <table class="list results">
        <thead>
          <tr>
            <th>{text.reportNode}</th>
            <th>{text.region}</th>
            <th>{text.carrier}</th>
            <th>{text.level}</th>
            <th class="num">{text.time}</th>
            <th>{text.updatedAt}</th>
            <th>{text.error}</th>
          </tr>
        </thead>
        <tbody>
          {results.map((result) => (
            <tr key={result.reportNodeId}>
              <td class="first">
                <a class="link main" href={linkTo(["resource", "ReportNode", result.reportNodeId])}>
                  {result.reportNodeName || String(result.reportNodeId)}
                </a>
              </td>
              <td>{result.location}</td>
              <td>{result.isp}</td>
              <td>
                <Level level={result.level} />
              </td>
              <td class="num" data-name={text.time}>{result.isOk ? costText(result.costMs) : ""}</td>
              <td>
                <Moment at={result.updatedAt} />
              </td>
              <td title={result.error}>{result.error}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
