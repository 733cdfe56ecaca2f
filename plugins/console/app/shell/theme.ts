import { effect, signal } from "@preact/signals";

export type Theme = "light" | "dark";

const STORED = "edgehelm.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** The theme: the chosen one, or that of the system. */
export const theme = signal<Theme>(chosen() ?? ofSystem());
system.addEventListener("change", () => theme.value = chosen() ?? ofSystem());
effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function toggleTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  localStorage.setItem(STORED, theme.value);
}

function chosen(): Theme | undefined {
  const stored = localStorage.getItem(STORED);
  return stored === "light" || stored === "dark" ? stored : undefined;
}

function ofSystem(): Theme {
  return system.matches ? "dark" : "light";
}
