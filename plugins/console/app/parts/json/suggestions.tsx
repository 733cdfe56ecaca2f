import { type DescField, ScalarType } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { commentOf } from "../../shell/state.ts";

/** `The unit: ms, second, minute or hour.` names four values. */
const VALUES = /: ((?:[\w-]+, )+[\w-]+(?:,? (?:or|and) [\w-]+)?)[;.,]/;

/** Returns the values of a text that its comment names. */
export function suggestionsOf({ parent, name, scalar }: DescField): readonly string[] {
  if (scalar !== ScalarType.STRING) return [];
  const found = VALUES.exec(`${commentOf(`${parent.typeName}.${name}`)}.`)?.[1];
  return found?.split(/,? (?:or|and) |, /) ?? [];
}

/** What a text input offers; other texts can be typed. */
export function Suggestions({ id, values }: { id: string; values: readonly string[] }): JSX.Element | null {
  if (values.length === 0) return null;
  return (
    <datalist id={id}>
      {values.map((value) => <option key={value} value={value} />)}
    </datalist>
  );
}
