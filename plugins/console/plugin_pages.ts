import { type FetchHandler, keptPage } from "edgehelm/runtime";
import type { ConsolePage } from "./contract.ts";

const KEY = /^[a-z][a-z0-9-]{0,39}$/;
const MODULE = /^\/[\w./-]+\.js$/;

/**
 * Serves the list of the pages of plugins.
 *
 * @throws Error, which stops the start, for a page that is not valid or whose key another one has
 */
export function pluginPagesList(pages: () => readonly ConsolePage[]): FetchHandler {
  return keptPage("application/json; charset=utf-8", () => Promise.resolve(JSON.stringify(pages())));
}

/** @throws Error, which stops the start, for a page that is not valid or whose key another one has */
export function checkPages(pages: readonly ConsolePage[]): void {
  for (const [index, { key, module }] of pages.entries()) {
    if (!KEY.test(key)) throw new Error(`the page "${key}": the key must have the form ${KEY}`);
    if (!MODULE.test(module)) throw new Error(`the page "${key}": the module must be a path that ends with .js`);
    if (pages.findIndex((other) => other.key === key) < index) throw new Error(`two pages have the key "${key}"`);
  }
}
