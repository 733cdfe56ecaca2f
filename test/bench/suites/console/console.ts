import { type Browser, chromium, type Page } from "playwright-core";
import { Visit } from "../../../plugins/console/visitor.ts";
import { Installation, KEY } from "../../installation/installation.ts";
import type { Measurement, Suite } from "../../suite.ts";

const BYTES_PER_KB = 1000;
const RECORDS = 10_000;
const NAMES_PER_CALL = 500;

/** The console in Chromium: how much it loads, when it paints, and how quickly a long list follows the keyboard. */
export const consoleSuite: Suite = {
  async open({ root }) {
    const stack = new AsyncDisposableStack();
    const installation = stack.use(await Installation.start(root));
    const nsDomainId = await longZone(installation);
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    stack.defer(() => browser.close());
    const url = `http://127.0.0.1:${installation.httpPort}`;
    return {
      measurements: [firstLoad(browser, url), longList(browser, url, nsDomainId)],
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  },
};

/** Makes a domain with {@link RECORDS} records. */
async function longZone(installation: Installation): Promise<number> {
  type Ids = Readonly<Record<string, number>>;
  const { nsClusterId } = await installation.call("/NSClusterService/createNSCluster", { name: "long" }) as Ids;
  const domain = { nsClusterId, name: "long.example" };
  const { nsDomainId } = await installation.call("/NSDomainService/createNSDomain", domain) as Ids;
  for (let from = 0; from < RECORDS; from += NAMES_PER_CALL) {
    const names = Array.from({ length: NAMES_PER_CALL }, (_, index) => `host-${from + index}`);
    const records = { nsDomainId, names, type: "A", value: "192.0.2.1", ttl: 600 };
    await installation.call("/NSRecordService/createNSRecords", records);
  }
  return nsDomainId!;
}

/** The first visit: the sign-in, and what is loaded until the overview is there. Comments come after it. */
function firstLoad(browser: Browser, url: string): Measurement {
  return {
    figures: [
      { name: "first_load_kb", unit: "KB" },
      { name: "comments_kb", unit: "KB" },
      { name: "first_paint_ms", unit: "ms" },
      { name: "lcp_ms", unit: "ms" },
      { name: "overview_lcp_ms", unit: "ms" },
    ],
    async measure() {
      const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
      const visit = new Visit(page, url);
      await page.goto(`${url}/console`);
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      const paints = await paintsOf(page);
      await visit.signIn(KEY);
      await visit.settled();
      const loads = await loadsOf(page);
      await page.reload();
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await visit.settled();
      const overview = await paintsOf(page);
      await page.close();
      const bytesOf = (isWanted: (name: string) => boolean) =>
        loads.filter(({ name }) => isWanted(name)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
      const isComments = (name: string) => /\/comments\.\w+\.json$/.test(name);
      return [
        bytesOf((name) => !isComments(name)) / BYTES_PER_KB,
        bytesOf(isComments) / BYTES_PER_KB,
        paints.first,
        paints.largest,
        overview.largest,
      ];
    },
  };
}

interface Paints {
  readonly first: number;
  readonly largest: number;
}

/** Returns the milliseconds from the navigation to the first and the largest paint. */
async function paintsOf(page: Page): Promise<Paints> {
  return await page.evaluate(`new Promise((done) => new PerformanceObserver((list) => done({
    first: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    largest: list.getEntries().at(-1).startTime,
  })).observe({ type: "largest-contentful-paint", buffered: true }))`);
}

interface Loaded {
  readonly name: string;
  readonly encodedBodySize: number;
}

async function loadsOf(page: Page): Promise<readonly Loaded[]> {
  return await page.evaluate(`["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
    .map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`);
}

/** The time from a key in the filter of a long list to the next paint, by the Event Timing API. */
function longList(browser: Browser, url: string, nsDomainId: number): Measurement {
  return {
    figures: [{ name: "list_10k_rows_open_ms", unit: "ms" }, { name: "list_10k_rows_input_delay_ms", unit: "ms" }],
    async measure() {
      const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
      const visit = new Visit(page, url);
      await page.goto(`${url}/console`);
      await visit.signIn(KEY);
      const started = performance.now();
      await visit.open(`resource/NSDomain/${nsDomainId}`);
      await page.locator("table.zone tbody tr").nth(49).waitFor();
      const opened = performance.now() - started;
      await visit.settled();
      await page.evaluate(`globalThis.delays = [];
        new PerformanceObserver((list) => delays.push(...list.getEntries().map(({ duration }) => duration)))
          .observe({ type: "event", durationThreshold: 16 })`);
      await page.locator("main input[type=search]").first().pressSequentially("host-99", { delay: 120 });
      await visit.settled();
      const longest: number = await page.evaluate("Math.max(16, ...delays)");
      await page.close();
      return [opened, longest];
    },
  };
}
