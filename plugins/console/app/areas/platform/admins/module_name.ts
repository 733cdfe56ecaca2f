import type { Module } from "./admin.ts";
import { texts } from "./texts.ts";

/** Returns the name of a module in the language of the reader; modules of vendors have one name. */
export function moduleName({ code, name }: Module): string {
  return (texts.value.modules as Readonly<Record<string, string>>)[code] ?? name;
}
