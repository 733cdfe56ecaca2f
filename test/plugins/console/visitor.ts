import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { CHOSEN_KEY, installationDirectory, KEY, removeInstallation, Server } from "../../harness/server.ts";

/** The settings of a visitor's browser. */
export interface VisitOptions {
  readonly width?: number;
  readonly language?: "en" | "zh";
  readonly theme?: "light" | "dark";
}

interface AccessKey {
  readonly id: string;
  readonly secret: string;
}

/** A served console and a browser. */
export class ConsoleServer {
  readonly server: Server;
  readonly #browser: Browser;
  /** The environment variables of the installation. */
  readonly environment: Record<string, string>;

  private constructor(server: Server, browser: Browser, environment: Record<string, string>) {
    this.server = server;
    this.#browser = browser;
    this.environment = environment;
  }

  /**
   * Starts an installation with these plugins, and an admin whose access key is {@link KEY}.
   *
   * @param settings the other settings of the installation manifest
   */
  static async start(
    plugins: Parameters<typeof installationDirectory>[0],
    settings: Readonly<Record<string, unknown>> = {},
  ): Promise<ConsoleServer> {
    return await ConsoleServer.on({ ...await installationDirectory(plugins, settings), ...CHOSEN_KEY });
  }

  /** Starts the server of an installation whose directory is there, with the admin access key {@link KEY}. */
  static async on(environment: Record<string, string>): Promise<ConsoleServer> {
    const server = await Server.start(environment);
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    return new ConsoleServer(server, browser, environment);
  }

  /** Opens the console in a window of its own. */
  async visit({ width = 1280, language = "en", theme = "light" }: VisitOptions = {}): Promise<Visit> {
    const page = await this.#browser.newPage({
      locale: language,
      colorScheme: theme,
      // colours are checked when they have changed, not on the way
      reducedMotion: "reduce",
      viewport: { width, height: 860 },
    });
    const visit = new Visit(page, this.server.url);
    await page.goto(`${this.server.url}/console`);
    return visit;
  }

  /** Takes a picture of a whole page, as wide as four of them. */
  async picture(url: string, path: string): Promise<void> {
    const page = await this.#browser.newPage({ viewport: { width: 1700, height: 1000 } });
    await page.goto(url);
    await page.screenshot({ path, fullPage: true });
    await page.close();
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.server.stop();
    await removeInstallation(this.environment);
  }
}

/** One window of the console. */
export class Visit {
  readonly page: Page;
  readonly url: string;
  /** The errors of the page, and its requests to other origins. */
  readonly #faults: string[] = [];
  #underWay = 0;

  constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
    page.setDefaultTimeout(120_000);
    page.on("console", (message) => message.type() === "error" && this.#faults.push(message.text()));
    page.on("pageerror", (error) => this.#faults.push(error.message));
    page.on("requestfinished", () => this.#underWay--);
    page.on("requestfailed", () => this.#underWay--);
    page.on("request", (request) => {
      this.#underWay++;
      if (!request.url().startsWith(url) && !request.url().startsWith("data:")) this.#faults.push(request.url());
    });
  }

  /** Signs in with an access key, and waits for the first page. */
  async signIn(key: AccessKey = KEY, role: "Operator" | "Customer" = "Operator"): Promise<void> {
    await this.tryToSignIn(key, role);
    await this.page.getByRole("heading", { level: 1, name: /Overview|概览/ }).waitFor();
  }

  /** Fills in and sends the form of the sign-in. */
  async tryToSignIn(key: AccessKey, role: "Operator" | "Customer" = "Operator"): Promise<void> {
    await this.page.getByLabel(role).check();
    await this.page.getByLabel("Access key", { exact: true }).and(this.page.getByRole("radio")).check();
    await this.page.getByLabel("Access key id").fill(key.id);
    await this.page.getByLabel("Access key", { exact: true }).and(this.page.locator("#secret")).fill(key.secret);
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  /** Fills in and sends the form of the sign-in with a password. */
  async tryPassword(username: string, password: string, role: "Operator" | "Customer" = "Operator"): Promise<void> {
    await this.page.getByLabel(role).check();
    await this.page.getByLabel("Username").fill(username);
    await this.page.getByLabel("Password", { exact: true }).and(this.page.locator("#secret")).fill(password);
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  /** Opens a place of the console, such as `resource/NSDomain`. */
  async open(place: string): Promise<void> {
    await this.page.goto(`${this.url}/console#/${place}`);
    await this.page.locator("main :is(h1, .failure, .empty)").first().waitFor();
  }

  /** Waits until the page has loaded what it shows: no request was under way in three frames. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await this.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      if (this.#underWay > 0) quiet = -1;
    }
  }

  /** Checks the page as it is against the rules of WCAG 2.2 A and AA. */
  async expectAccessible(): Promise<void> {
    await this.page.evaluate(await axe());
    const violations = await this.page.evaluate(`axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + " " + failureSummary)))`);
    expect(violations).toEqual([]);
  }

  /** Returns the script with the rules of WCAG, for checks of parts of a page. */
  rules(): Promise<string> {
    return axe();
  }

  /** Checks that the page is not wider than the window. */
  async expectNoSidewaysScroll(): Promise<void> {
    await this.settled();
    const width = this.page.viewportSize()!.width;
    expect(await this.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  }

  /** Forgets the errors with which the browser reports that a server was away, and fails if there were others. */
  forgiveOutage(): void {
    expect(this.#faults.filter((fault) => !fault.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
    this.#faults.length = 0;
  }

  /** Closes the window. Nothing may have gone wrong in it. */
  async end(): Promise<void> {
    await this.page.close();
    expect(this.#faults).toEqual([]);
  }
}

let source: Promise<string> | undefined;

function axe(): Promise<string> {
  return source ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
}
