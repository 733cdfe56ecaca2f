import type { JSX } from "preact";
import { PagedTable, usePage } from "../../../parts/lists/paged.tsx";
import { State } from "../../../parts/state.tsx";
import { linkTo } from "../../../shell/route.ts";
import { isListed } from "../../../shell/state.ts";
import { count } from "../../../texts/mod.ts";
import { AddressPage } from "./address_page.tsx";
import { costText, Level } from "./level.tsx";
import { type ReportTask, TASKS } from "./reports.ts";
import { texts } from "./texts.ts";

/** How report nodes reach the addresses of edge nodes: all of them, or one from each region and report node. */
export default function ReachabilityPage({ steps: [step] }: { readonly steps: readonly string[] }): JSX.Element {
  if (step !== undefined && /^\d{1,18}$/.test(step)) return <AddressPage key={step} id={BigInt(step)} />;
  return <AddressList />;
}

function AddressList(): JSX.Element {
  const { value: text } = texts;
  const page = usePage<ReportTask>(TASKS, {});
  const columns = [
    { name: text.address },
    { name: text.level },
    { name: text.reached, isNumber: true },
    { name: text.time, isNumber: true },
  ];
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {isListed("ReportNode") && <a class="btn" href={linkTo(["resource", "ReportNode"])}>{text.reportNodes}</a>}
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        <PagedTable page={page} empty={text.none} columns={columns}>
          {({ ip, level, connectivity, costMs, nodeIPAddress }) => (
            <tr key={nodeIPAddress?.id}>
              <td class="first">
                <a class="link main mono" href={linkTo(["reachability", nodeIPAddress?.id ?? 0n])}>{ip}</a>
              </td>
              <td>
                <Level level={level} /> {nodeIPAddress?.isUp === false && <State kind="idle" text={text.isDown} />}
              </td>
              <td class="num" data-name={text.reached}>{`${count(Math.round(connectivity))} %`}</td>
              <td class="num" data-name={text.time}>{costText(costMs)}</td>
            </tr>
          )}
        </PagedTable>
      </div>
    </>
  );
}
