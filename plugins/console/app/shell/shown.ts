import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { route } from "./route.ts";

const shown = signal<{ readonly noun: string; readonly id: string; readonly name: string }>();
effect(() => {
  const [, noun, id] = route.value.steps;
  const { noun: before, id: beforeId } = shown.peek() ?? {};
  if (before !== noun || beforeId !== id) shown.value = undefined;
});

/** Tells the path above the page the name of the object, which only its page has loaded. */
export function useShownName(noun: string, id: string, name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) shown.value = { noun, id, name };
  }, [noun, id, name]);
}

/** Returns the name of the object whose page is shown; its id until the page has loaded it. */
export function shownNameOf(noun: string, id: string): string {
  const { value } = shown;
  return value?.noun === noun && value.id === id ? value.name : id;
}
