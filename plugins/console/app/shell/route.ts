import { computed, signal } from "@preact/signals";

/** A place in the console: `#/resource/NSDomain/5?keyword=a` has three steps and one parameter. */
export interface Route {
  readonly steps: readonly string[];
  readonly parameters: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener("hashchange", () => hash.value = location.hash);

/** The place that the address bar names. */
export const route = computed<Route>(() => {
  const [path = "", query = ""] = hash.value.replace(/^#\/?/, "").split("?");
  return {
    steps: path.split("/").filter((step) => step !== "").map(decodeURIComponent),
    parameters: new URLSearchParams(query),
  };
});

/** Returns the link to a place. */
export function linkTo(
  steps: readonly (string | number | bigint)[],
  parameters: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "")).toString();
  return `#/${steps.map((step) => encodeURIComponent(String(step))).join("/")}${query === "" ? "" : `?${query}`}`;
}

export function goTo(link: string): void {
  location.hash = link;
}
