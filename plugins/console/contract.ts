import { defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** A text in the languages of the console. */
export interface ConsoleText {
  readonly en: string;
  /** Chinese; readers see the English text without it. */
  readonly zh?: string;
}

/**
 * A page of a plugin in the console.
 *
 * The plugin serves the module of the page by a route of its own. Its default export is a function
 * `(element, page) => cleanUp`, which fills an empty element, and returns what to do when the reader leaves; `page` has
 *
 * - `call(path, request, signal)`: calls an operation as the reader, such as `GreetingService/greet`. 64-bit integers
 *   are bigint in requests and responses.
 * - `steps`: the steps of the address after the key.
 * - `language` and `theme`: `en` or `zh`, and `light` or `dark`, now.
 *
 * Modules see the styles of the console: `panel`, `btn`, `btn primary`, `list` on a table, `field`, `empty`, `error`.
 */
export interface ConsolePage {
  /** The address is `#/plugin/<key>`: lower-case letters, digits and dashes. */
  readonly key: string;
  readonly title: ConsoleText;
  /** The module in whose group of the navigation it is, such as `ns`. */
  readonly group: string;
  /** The operations that the reader must be able to call, such as `GreetingService/greet`. */
  readonly needs: readonly string[];
  /** The path of the module, such as `/greetings/page.js`. */
  readonly module: string;
}

/** The extension point for plugins that have a page in the console. */
export const ConsolePages: ExtensionPoint<ConsolePage> = defineExtensionPoint("console.pages");
