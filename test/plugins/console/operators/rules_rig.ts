import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { ConsoleServer, type Visit } from "../visitor.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "console",
  "http_cache_policy",
  "http_firewall_policy",
  "http_firewall_rule_group",
  "http_firewall_rule_set",
  "user",
  "user_access_key",
];

/** The words with which the console refuses to overwrite a change. */
export const CHANGED = "This was changed elsewhere meanwhile";

/** A console with policies, in which an operator has signed in. */
export class RulesRig {
  readonly #served: ConsoleServer;
  #visit: Visit | undefined;

  private constructor(served: ConsoleServer) {
    this.#served = served;
  }

  static async start(): Promise<RulesRig> {
    return new RulesRig(await ConsoleServer.start(PLUGINS));
  }

  async signIn(): Promise<void> {
    this.#visit = await this.#served.visit();
    await this.#visit.signIn();
  }

  get visit(): Visit {
    return this.#visit!;
  }

  get page(): Page {
    return this.visit.page;
  }

  get dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  /** Presses the button of this name. */
  async press(name: string, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole("button", { name, exact: true }).click();
  }

  /** Waits until a form was saved, and so is gone. */
  async closed(): Promise<void> {
    await this.dialog.waitFor({ state: "detached" });
  }

  /** Returns the error that the open form shows beside a field. */
  errorBeside(label: string): Locator {
    return this.page.locator(".field", { has: this.page.getByLabel(label) }).getByRole("alert");
  }

  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  async call(path: string, request: object): Promise<any> {
    const { code, data, message } = await this.#served.server.post(`/${path}`, request);
    expect([code, message, path]).toEqual([200, "ok", path]);
    return data;
  }

  // deno-lint-ignore no-explicit-any -- the shape of the rules is what is tested
  async callForJson(path: string, request: object, field: string): Promise<any> {
    const json = (await this.call(path, request))[field];
    return typeof json === "string" ? JSON.parse(atob(json)) : json;
  }

  /** Checks the page in both themes and on a narrow screen. */
  async expectFit(): Promise<void> {
    await this.visit.settled();
    await this.visit.expectAccessible();
    await this.page.evaluate("document.documentElement.dataset.theme = 'dark'");
    await this.visit.expectAccessible();
    await this.page.setViewportSize({ width: 390, height: 800 });
    await this.visit.expectNoSidewaysScroll();
    await this.page.setViewportSize({ width: 1280, height: 860 });
  }

  async stop(): Promise<void> {
    await this.#served.stop();
  }
}
