import { signal } from "@preact/signals";
import { mayCall } from "./state.ts";

/** A page of a plugin, as the server lists it. */
export interface PluginPage {
  readonly key: string;
  readonly title: { readonly en: string; readonly zh?: string };
  readonly group: string;
  readonly needs: readonly string[];
  readonly module: string;
}

/** The pages of the plugins of this installation. */
export const pluginPages = signal<readonly PluginPage[]>([]);

/** Loads the list of the pages. */
export async function loadPluginPages(): Promise<void> {
  pluginPages.value = await (await fetch("/console/pages.json")).json();
}

/** Returns the pages that the reader can use. */
export function offeredPluginPages(): readonly PluginPage[] {
  return pluginPages.value.filter(({ needs }) => needs.every(mayCall));
}
