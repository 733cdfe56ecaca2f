import type { JSX } from "preact";
import { listOf } from "../../../parts/lists/list_of.ts";
import { useLoaded } from "../../../parts/loaded.ts";
import { linkTo } from "../../../shell/route.ts";
import type { Domain } from "../models.ts";
import { texts } from "./texts.ts";

/** The steps to the first domain, until it is verified. */
export default function FirstSteps(): JSX.Element | null {
  const domains = useLoaded(
    (signal) => listOf<Domain>("NSDomainService/listNSDomains", "nsDomains", { offset: 0n, size: 1000n }, signal),
    [],
  );
  if (domains.value === undefined || domains.value.some(({ status }) => status === "verified")) return null;
  const [domain] = domains.value;
  const { value: text } = texts;
  const page = domain && linkTo(["resource", "NSDomain", domain.id]);
  const steps = [
    { title: text.addStep, help: text.addHelp, link: linkTo(["resource", "NSDomain", "new"]), action: text.addDomain },
    { title: text.verifyStep, help: text.verifyHelp, link: page, action: text.verify },
    { title: text.recordStep, help: text.recordHelp, link: page, action: text.openRecords },
  ];
  const current = domain === undefined ? 0 : 1;
  return (
    <section class="panel card">
      <h2>{text.steps}</h2>
      <ol class="steps">
        {steps.map(({ title, help, link, action }, index) => (
          <li key={title} aria-current={index === current ? "step" : undefined}>
            <div>
              <b>{title}</b>
              {index < current && <span class="tag ok">{text.done}</span>}
              <p class="dim">{help}</p>
            </div>
            {link !== undefined && index >= current && (
              <a class={index === current ? "btn primary" : "btn"} href={link}>{action}</a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
