import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { DEMO_SETTINGS, type DemoCustomer, fillDemo } from "../../../screenshots/demo.ts";
import { withoutProperNames } from "../proper_names.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

const MANIFEST = fileURLToPath(new URL("../../../../plugins/manifest.json", import.meta.url));
const [WIDE, PHONE] = [{ width: 1280, height: 860 }, { width: 390, height: 860 }];

const LABELS =
  "main :is(h2, th, dt, label:not(.choices label), .label, legend, summary.chip, .head button, .head a.btn, [role=tab])";

const FOREIGN = /[a-z]{3}|\p{Script=Han}e?s$/u;
/** The looks at a page until a problem is certain. */
const MAX_ROUNDS = 30;

describe.runIf(browserRuns())("every page of the console", () => {
  let served: ConsoleServer;
  let customer: DemoCustomer;
  beforeAll(async () => {
    const { plugins } = JSON.parse(await readFile(MANIFEST, "utf8"));
    served = await ConsoleServer.start(plugins.map(({ use }: { readonly use: string }) => use), DEMO_SETTINGS);
    customer = await fillDemo(served.server);
  });
  afterAll(() => served.stop());

  test("of a super admin is sound", async () => {
    const visit = await served.visit();
    await visit.signIn();
    const seen = await walk(visit);
    expect(seen.length).toBeGreaterThan(80);
    await visit.end();
  });

  test("shows that it is loading, while the network is slow", async () => {
    const visit = await served.visit();
    const { page } = visit;
    await visit.signIn();
    await visit.settled();
    let released: Promise<void> = Promise.resolve();
    await page.route(/Service\//, async (route) => {
      await released;
      await route.continue();
    });
    const silent: string[] = [];
    for (const link of await linksIn(page, "nav a[href^='#/']")) {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      const asked = page.waitForRequest(/Service\//);
      const isAsking = link !== "#/" && link !== "#/explorer" && link !== "#/security";
      await page.goto(`${visit.url}/console${link}`);
      if (isAsking) {
        await asked;
        await page.locator("main :is(.skeleton, [aria-busy='true'])").first().waitFor();
      } else asked.catch(() => undefined);
      resolve();
      await visit.settled();
      if (await page.locator("main .skeleton").count() > 0) silent.push(link);
    }
    expect(silent).toEqual([]);
    await visit.end();
  });

  test("of an admin with some modules is sound", async () => {
    const visit = await served.visit();
    await visit.tryPassword("night.shift", "a night without alarms");
    await visit.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    const seen = await walk(visit);
    expect(seen).toContain("#/resource/NSDomain");
    expect(seen).not.toContain("#/resource/Plan");
    await visit.end();
  });

  test("of a customer is sound", async () => {
    const visit = await served.visit();
    await visit.signIn(customer, "Customer");
    const seen = await walk(visit);
    expect(seen).toContain("#/resource/NSDomain");
    expect(seen).not.toContain("#/resource/Admin");
    await visit.end();
  });
});

/** Looks at every page that the reader is led to: lists, the first object of each, its tabs, and the forms. */
async function walk(visit: Visit): Promise<string[]> {
  const { page } = visit;
  await page.evaluate(await visit.rules());
  const waiting = await linksIn(page, "nav a[href^='#/']");
  const [seen, problems] = [new Set<string>(), new Set<string>()];
  for (let link = waiting.shift(); link !== undefined; link = waiting.shift()) {
    if (seen.has(link)) continue;
    seen.add(link);
    await page.goto(`${visit.url}/console${link}`);
    await visit.settled();
    const found = await linksIn(page, "main a.main[href^='#/']");
    const forms = await linksIn(page, "main a.btn:is([href$='/new'], [href$='/edit'])");
    waiting.push(...found.slice(0, 1), ...forms, ...await linksIn(page, "main .tabs a[href^='#/']"));
    for (const problem of await problemsOf(visit)) problems.add(`${link}: ${problem}`);
    const tabs = link.startsWith("#/resource/") ? page.locator("main [role=tab]") : undefined;
    for (let index = 1; index < (await tabs?.count() ?? 0); index++) {
      await tabs!.nth(index).click();
      await visit.settled();
      for (const problem of await problemsOf(visit)) problems.add(`${link}, tab ${index}: ${problem}`);
    }
  }
  expect([...problems]).toEqual([]);
  return [...seen];
}

/** Checks a page in English, light and wide, and then in Chinese, dark and on a phone. */
async function problemsOf(visit: Visit): Promise<string[]> {
  const { page } = visit;
  const problems = await lasting(visit, async () => [
    ...await violations(page),
    ...await page.locator("main .failure").allTextContents(),
  ]);
  await choose(page, "zh", "dark");
  await page.setViewportSize(PHONE);
  problems.push(...await lasting(visit, async () => [...await violations(page), ...await misfits(page)]));
  await page.setViewportSize(WIDE);
  await choose(page, "en", "light");
  return problems;
}

/** Returns the problems that do not go away when the page has had time to settle. */
async function lasting(visit: Visit, look: () => Promise<string[]>): Promise<string[]> {
  let problems: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await visit.settled();
    problems = await look();
    if (problems.length === 0) break;
  }
  return problems;
}

/** Returns what is wider than a phone, or has a name that was not translated. */
async function misfits(page: Page): Promise<string[]> {
  const width = await page.evaluate<number>("document.documentElement.scrollWidth");
  const labels = await page.evaluate<string[]>(`[...document.querySelectorAll("nav h2, nav div > a, ${LABELS}")]
    .map((label) => label.cloneNode(true))
    .map((label) => (label.querySelectorAll("select").forEach((choices) => choices.remove()), label.textContent))`);
  return [
    ...width > PHONE.width ? [`is ${width} pixels wide on a phone`] : [],
    ...labels.filter((label) => FOREIGN.test(withoutProperNames(label))).map((label) => `is not in Chinese: ${label}`),
  ];
}

async function choose(page: Page, language: string, theme: string): Promise<void> {
  await page.locator("header select").selectOption(language);
  await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`);
}

function linksIn(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute("href")!));
}

async function violations(page: Page): Promise<string[]> {
  return await page.evaluate(`axe.run("main", { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + " " + failureSummary)))`);
}
