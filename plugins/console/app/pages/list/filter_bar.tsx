import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { textValuesOf } from "edgehelm/wire";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { IdChooser, referredBy } from "../../parts/id_chooser.tsx";
import { nounOf, valueText, words } from "../../shell/names.ts";
import { texts } from "../../texts/mod.ts";

interface FilterBarProps {
  readonly fields: readonly DescField[];
  /** The fields of the request that order the rows. */
  readonly sorts: readonly DescField[];
  readonly filter: Readonly<Record<string, string>>;
  readonly sort: string;
  readonly onApply: (changes: Readonly<Record<string, string>>) => void;
}

/** What chooses and orders the rows of a list: a search, the other filters on demand, and the order. */
export function FilterBar({ fields, sorts, filter, sort, onApply }: FilterBarProps): JSX.Element {
  const [typed, setTyped] = useState(filter);
  const search = fields.find((field) => isPlain(field));
  const others = fields.filter((field) => field !== search);
  const set = ({ localName }: DescField, value: string) => setTyped({ ...typed, [localName]: value });
  return (
    <form
      class="bar"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(typed);
      }}
    >
      {search && (
        <input
          type="search"
          class="find"
          placeholder={words(search.name)}
          aria-label={words(search.name)}
          value={typed[search.localName] ?? ""}
          onInput={(event) => set(search, event.currentTarget.value)}
        />
      )}
      {others.length > 0 && (
        <details>
          <summary class="chip">{texts.value.filter}</summary>
          <div class="popover">
            {others.map((field) => (
              <label key={field.name}>
                {labelOf(field)}
                <Filter field={field} value={typed[field.localName] ?? ""} onInput={(value) => set(field, value)} />
              </label>
            ))}
          </div>
        </details>
      )}
      {fields.length > 0 && <button type="submit" class="btn">{texts.value.apply}</button>}
      {sorts.length > 0 && (
        <select
          class="sort"
          aria-label={texts.value.sort}
          value={sort}
          onChange={(event) => onApply({ sort: event.currentTarget.value })}
        >
          <option value="">{texts.value.sort}</option>
          {sorts.map(({ localName }) => <option key={localName} value={localName}>{sortText(localName)}</option>)}
        </select>
      )}
    </form>
  );
}

/** True for a text that is typed, not chosen. */
function isPlain(field: DescField): boolean {
  return field.scalar === ScalarType.STRING && textValuesOf(field).length === 0 && referredBy(field) === undefined;
}

function labelOf(field: DescField): string {
  const resource = referredBy(field);
  return resource === undefined ? words(field.name) : nounOf(resource.noun);
}

interface FilterProps {
  readonly field: DescField;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Filter({ field, value, onInput }: FilterProps): JSX.Element {
  const id = `filter-${field.localName}`;
  const resource = referredBy(field);
  const { any, yes } = texts.value;
  if (resource !== undefined) {
    return (
      <IdChooser
        id={id}
        resource={resource}
        value={value}
        isInvalid={false}
        describedBy={undefined}
        emptyText={any}
        onInput={onInput}
      />
    );
  }
  // false is no condition in the requests of lists
  const values = field.scalar === ScalarType.BOOL ? ["true"] : textValuesOf(field).filter((one) => one !== "");
  if (values.length === 0) {
    return (
      <input
        id={id}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    );
  }
  return (
    <select id={id} value={value} onChange={(event) => onInput(event.currentTarget.value)}>
      <option value="">{any}</option>
      {values.map((one) => <option key={one} value={one}>{one === "true" ? yes : valueText(one)}</option>)}
    </select>
  );
}

/** `nameDesc` is `Name ↓`. */
function sortText(localName: string): string {
  const isDescending = localName.endsWith("Desc");
  return `${words(localName.replace(/(Asc|Desc)$/, ""))} ${isDescending ? "↓" : "↑"}`;
}
