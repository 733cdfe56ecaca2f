import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { KEY } from "../harness/server.ts";
import { ConsoleServer, type VisitOptions } from "../plugins/console/visitor.ts";
import { DEMO_SETTINGS, type DemoCustomer, fillDemo } from "./demo.ts";
import { type Place, PLACES } from "./places.ts";

// `deno task screenshots [folder]` takes a picture of every page in light, dark and at phone width, and one of all.

const LOOKS: Readonly<Record<string, VisitOptions>> = {
  light: { theme: "light", width: 1280 },
  dark: { theme: "dark", width: 1280 },
  phone: { theme: "light", width: 390 },
  chinese: { theme: "light", width: 1280, language: "zh" },
};

const folder = resolve(process.argv[2] ?? "dist/screenshots");
const only = process.argv[3];
const plugins = fileURLToPath(new URL("../../plugins/manifest.json", import.meta.url));
const { plugins: entries } = JSON.parse(await readFile(plugins, "utf8"));

await mkdir(folder, { recursive: true });
const served = await ConsoleServer.start(entries.map(({ use }: { readonly use: string }) => use), DEMO_SETTINGS);
try {
  const customer = await fillDemo(served.server);
  const places = PLACES.filter(({ name }) => only === undefined || name.includes(only));
  for (const [look, options] of Object.entries(LOOKS)) await takeAll(places, look, options, customer);
  await writeSheet(places);
} finally {
  await served.stop();
}
console.log(`the pictures are in ${folder}; sheet.png shows all of them`);

/** Takes the pictures of one look, as both roles. */
async function takeAll(
  places: readonly Place[],
  look: string,
  options: VisitOptions,
  customer: DemoCustomer,
): Promise<void> {
  for (const by of ["admin", "customer"] as const) {
    const own = places.filter((place) => place.by === by);
    if (own.length === 0) continue;
    const visit = await served.visit({ ...options, language: "en" });
    await visit.signIn(by === "admin" ? KEY : customer, by === "admin" ? "Operator" : "Customer");
    if (options.language === "zh") await visit.page.locator("header select").selectOption("zh");
    for (const { name, link, first, tab } of own) {
      console.log(`${name}, ${look}`);
      await visit.open(link);
      await visit.settled();
      if (first) {
        await visit.page.locator("main a.main").first().click();
        await visit.settled();
      }
      if (tab !== undefined) {
        await visit.page.getByRole("tab").nth(tab).click();
        await visit.settled();
      }
      await visit.expectNoSidewaysScroll();
      await visit.page.screenshot({ path: join(folder, `${name}.${look}.png`), fullPage: tab !== undefined });
    }
    await visit.end();
  }
}

/** Writes a page with all pictures, and a picture of it. */
async function writeSheet(places: readonly Place[]): Promise<void> {
  const rows = places.map(({ name }) =>
    `<h2>${name}</h2><p>${
      Object.keys(LOOKS).map((look) => `<img src="${name}.${look}.png" alt="${name}, ${look}">`).join("")
    }</p>`
  );
  const style = "body{font:16px sans-serif;margin:20px}img{height:300px;margin-right:10px;border:1px solid #ccc}";
  const page = join(folder, "sheet.html");
  await writeFile(
    page,
    `<!doctype html><meta charset="utf-8"><title>Console</title><style>${style}</style>${rows.join("\n")}`,
  );
  await served.picture(`file://${page}`, join(folder, "sheet.png"));
}
