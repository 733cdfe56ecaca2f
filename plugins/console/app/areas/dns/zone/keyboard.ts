const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Enter: 1 };

/** Moves between the cells of one column; what types keep their arrows are lists of choices. */
export function moveByKey(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const cell = event.target;
  const step = STEPS[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || !(cell instanceof HTMLInputElement)) return;
  const column = cell.dataset["column"];
  if (column === undefined) return;
  const cells = [...event.currentTarget.querySelectorAll<HTMLInputElement>(`input[data-column="${column}"]:enabled`)];
  const next = cells[cells.indexOf(cell) + step];
  event.preventDefault();
  next?.focus();
  next?.select();
}
