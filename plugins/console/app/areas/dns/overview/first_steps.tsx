import type { JSX } from "preact";
import { useLoaded } from "../../../parts/loaded.ts";
import { loadProgress, type Progress } from "./progress.ts";
import { linkTo } from "../../../shell/route.ts";
import { stepTexts } from "./step_texts.ts";

/** The steps from an empty installation to a domain that is served, until its first record. */
export default function FirstSteps(): JSX.Element | null {
  const { value: text } = stepTexts;
  const progress = useLoaded(loadProgress, []);
  if (progress.value === undefined || progress.value.hasRecord) return null;
  const steps = stepsOf(progress.value);
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section class="panel card" aria-label={text.title}>
      <h2>{text.title}</h2>
      <ol class="steps">
        {steps.map(({ title, help, action, link, isDone }, index) => (
          <li key={title} aria-current={index === current ? "step" : undefined}>
            <div>
              <b>{title}</b>
              {isDone && <span class="tag ok">{text.done}</span>}
              <p class="dim">{help}</p>
            </div>
            {!isDone && link !== undefined && (
              <a class={index === current ? "btn primary" : "btn"} href={link}>{action}</a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepsOf({ clusterId, hasNode, domainId, hasRecord }: Progress) {
  const { value: { cluster, node, domain, record } } = stepTexts;
  const formIn = (field: string, noun: string) =>
    clusterId === undefined ? undefined : linkTo(["resource", noun, "new"], { [field]: String(clusterId) });
  return [
    { ...cluster, link: linkTo(["resource", "NSCluster", "new"]), isDone: clusterId !== undefined },
    { ...node, link: formIn("nodeClusterId", "NSNode"), isDone: hasNode },
    { ...domain, link: formIn("nsClusterId", "NSDomain"), isDone: domainId !== undefined },
    {
      ...record,
      link: domainId === undefined ? undefined : linkTo(["resource", "NSDomain", domainId]),
      isDone: hasRecord,
    },
  ];
}
