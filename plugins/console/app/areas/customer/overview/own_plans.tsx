import type { JSX } from "preact";
import { listOf } from "../../../parts/lists/list_of.ts";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { linkTo } from "../../../shell/route.ts";
import { fill } from "../../../texts/fill.ts";
import { plural } from "../../../texts/mod.ts";
import { bytesText, dayText } from "../../../texts/amounts.ts";
import type { UserPackage, UserPlan } from "../models.ts";
import { PlanState } from "../plan_state.tsx";
import { texts } from "./texts.ts";

const MAX_SHOWN = 5n;

/** The plans and traffic packages of the customer, with what is left of them. */
export default function OwnPlans(): JSX.Element {
  const owned = useLoaded(async (signal) => {
    const page = { offset: 0n, size: MAX_SHOWN };
    const [plans, packages] = await Promise.all([
      listOf<UserPlan>("UserPlanService/listEnabledUserPlans", "userPlans", page, signal),
      listOf<UserPackage>("UserTrafficPackageService/listUserTrafficPackages", "userTrafficPackages", {
        availableOnly: true,
        ...page,
      }, signal),
    ]);
    return { plans, packages };
  }, []);
  const { value: text } = texts;
  return (
    <section class="panel card">
      <h2>
        <a href={linkTo(["plans"])}>{text.plans}</a>
      </h2>
      {owned.error !== undefined && <Failure error={owned.error} onRetry={owned.reload} />}
      {owned.value === undefined && owned.error === undefined && <Skeleton rows={2} />}
      {owned.value?.plans.length === 0 && (
        <p class="todo">
          <span>{text.noPlan}</span> <a class="btn" href={linkTo(["plans"])}>{text.seePlans}</a>
        </p>
      )}
      <ul class="owned">
        {owned.value?.plans.map((plan) => (
          <li key={plan.id}>
            <b>{plan.name}</b>
            <PlanState plan={plan} />
            <span class="dim">{sitesText(plan)}</span>
          </li>
        ))}
        {owned.value?.packages.map(({ id, totalBytes, usedBytes, dayTo, nodeRegion }) => {
          const left = fill(text.left, { left: bytesText(totalBytes - usedBytes), total: bytesText(totalBytes) });
          return (
            <li key={`package ${id}`}>
              <b>{[text.packages, nodeRegion?.name].filter(Boolean).join(", ")}</b>
              <meter min={0} max={Number(totalBytes)} value={Number(totalBytes - usedBytes)} aria-label={left} />
              <span>{left}</span>
              <span class="dim">{fill(text.until, { day: dayText(dayTo) })}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function sitesText({ servers, plan }: UserPlan): string {
  const { value: text } = texts;
  if (!plan?.totalServers) return plural(text.sites, servers.length);
  return fill(text.sitesOf, { used: servers.length, total: plan.totalServers });
}
