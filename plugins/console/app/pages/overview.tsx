import type { JSX } from "preact";
import { Lazy } from "../parts/lazy.tsx";
import { overviewCards } from "../shell/area.ts";
import { call } from "../shell/call.ts";
import { plural } from "../shell/names.ts";
import { linkTo } from "../shell/route.ts";
import { resources, session } from "../shell/state.ts";
import { count, texts } from "../texts/mod.ts";
import { useLoaded } from "../parts/loaded.ts";

/** What the overview counts, in this order, as far as the reader may. */
const COUNTED = [
  "NSDomain",
  "Server",
  "NSNode",
  "Node",
  "NSCluster",
  "NodeCluster",
  "User",
  "SSLCert",
  "UserBill",
  "Plan",
  "UserPlan",
  "UserOrder",
];
const COUNTED_BY_USERS = ["NSDomain", "Server"];
const MAX_STATS = 8;

/** The first page: how much there is of what. */
export function OverviewPage(): JSX.Element {
  const nouns = session.value?.type === "user" ? COUNTED_BY_USERS : COUNTED;
  const counted = nouns.flatMap((noun) =>
    resources.value.find((resource) => resource.noun === noun && resource.count) ?? []
  )
    .slice(0, MAX_STATS);
  const counts = useLoaded(
    (signal) =>
      Promise.all(
        counted.map(({ count: operation }) =>
          call(operation!, {}, signal).then((response) => response["count"] as bigint, () => undefined)
        ),
      ),
    [counted.length],
  );
  return (
    <>
      <div class="head">
        <h1>{texts.value.overview}</h1>
      </div>
      <div class="grid">
        {counted.map(({ noun }, index) => {
          const value = counts.value?.[index];
          return (
            <a key={noun} class="panel stat" href={linkTo(["resource", noun])}>
              <span>{plural(noun)}</span>
              <b>{value === undefined ? "–" : count(value)}</b>
            </a>
          );
        })}
      </div>
      {overviewCards().map(({ key, load }) => <Lazy key={key} load={load} props={{}} />)}
    </>
  );
}
