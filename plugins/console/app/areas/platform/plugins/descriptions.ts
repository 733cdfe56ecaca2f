import { signal } from "@preact/signals";
import { language } from "../../../texts/mod.ts";
import type { PluginInfo } from "../installation.ts";

const chinese = signal<Readonly<Record<string, string>>>();

/** Returns what a plugin is for. Plugins describe themselves in English; those of this repository also have Chinese. */
export function descriptionOf({ name, description }: PluginInfo): string {
  if (language.value !== "zh") return description;
  if (chinese.value === undefined) {
    import("./descriptions_zh.ts").then(({ DESCRIPTIONS }) => chinese.value = DESCRIPTIONS, () => undefined);
    return "";
  }
  return chinese.value[name] ?? description;
}
