import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { goTo, linkTo, route } from "../../shell/route.ts";
import { resources } from "../../shell/state.ts";
import { IdChooser } from "../id_chooser.tsx";

/** Returns what the address says about a filter; empty if it says nothing. */
export function filterValue(name: string): string {
  return route.value.parameters.get(name) ?? "";
}

/** Returns the id that the address names; 0 if it names none. */
export function filterId(name: string): bigint {
  const text = filterValue(name);
  return /^\d{1,18}$/.test(text) ? BigInt(text) : 0n;
}

/** Changes filters in the address, so that a list can be kept and sent. The list begins anew. */
export function setFilters(changes: Readonly<Record<string, string>>): void {
  const { steps, parameters } = route.value;
  goTo(linkTo(steps, { ...Object.fromEntries(parameters), offset: "", ...changes }));
}

/** Narrows a list to what belongs to one user. */
export function UserFilter({ label, emptyText }: { label: string; emptyText: string }): JSX.Element | null {
  const resource = resources.value.find(({ noun }) => noun === "User");
  if (resource === undefined) return null;
  return (
    <span class="filter">
      <label for="filter-user">{label}</label>
      <IdChooser
        id="filter-user"
        resource={resource}
        value={filterValue("user")}
        isInvalid={false}
        describedBy={undefined}
        emptyText={emptyText}
        onInput={(user) => setFilters({ user })}
      />
    </span>
  );
}

interface TextFilterProps {
  readonly name: string;
  readonly label: string;
  readonly isMonth?: boolean;
}

/** A filter that is typed. */
export function TextFilter({ name, label, isMonth }: TextFilterProps): JSX.Element {
  const [typed, setTyped] = useState<string>();
  const common = {
    id: `filter-${name}`,
    value: typed ?? filterValue(name),
    onInput: (event: Event) => setTyped((event.currentTarget as HTMLInputElement).value),
    onChange: (event: Event) => {
      setTyped(undefined);
      setFilters({ [name]: (event.currentTarget as HTMLInputElement).value.trim() });
    },
  };
  return (
    <span class="filter">
      <label for={common.id}>{label}</label>
      {isMonth ? <input type="month" {...common} /> : <input type="search" autocomplete="off" {...common} />}
    </span>
  );
}
