import type { DescField } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import type { Resource } from "../api/resources.ts";
import { call } from "../shell/call.ts";
import { resources } from "../shell/state.ts";
import { texts } from "../texts/mod.ts";
import { useLoaded } from "./loaded.ts";
import { TextInput } from "./text_input.tsx";
import { textOf } from "./value.tsx";

/** Beyond this number of objects, the id is typed. */
const MAX_CHOICES = 200n;

/** Returns the kind of object that a field names by its id, if the reader may list it. */
export function referredBy({ localName, fieldKind }: DescField): Resource | undefined {
  if (fieldKind !== "scalar" || !localName.endsWith("Id")) return undefined;
  const noun = localName.slice(0, -"Id".length).toLowerCase();
  return resources.value.find((resource) => resource.noun.toLowerCase() === noun && !needsMore(resource));
}

/** True if the list has nothing to page through, so that it cannot offer choices. */
function needsMore({ list }: Resource): boolean {
  return !list.method.input.fields.some(({ localName }) => localName === "size") && list.method.input.fields.length > 0;
}

interface IdChooserProps {
  readonly id: string;
  readonly resource: Resource;
  readonly value: string;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  /** What it means to choose nothing, such as "Any" in a filter. */
  readonly emptyText?: string;
  readonly onInput: (value: string) => void;
}

/** Chooses an object by its name, where a request wants its id. */
export function IdChooser(
  { id, resource, value, isInvalid, describedBy, emptyText, onInput }: IdChooserProps,
): JSX.Element {
  const choices = useLoaded(async (signal) => {
    const response = await call(resource.list, { offset: 0n, size: MAX_CHOICES }, signal);
    return response[resource.items.localName] as readonly { readonly id: bigint }[];
  }, [resource.noun]);
  const isKnown = value === "" || choices.value?.some((choice) => String(choice.id) === value);
  if (choices.value === undefined || BigInt(choices.value.length) >= MAX_CHOICES || !isKnown) {
    return (
      <TextInput
        id={id}
        isSecret={false}
        autocomplete="off"
        value={value}
        isInvalid={isInvalid}
        describedBy={describedBy}
        onInput={onInput}
      />
    );
  }
  return (
    <select
      id={id}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      value={value}
      onChange={(event) => onInput(event.currentTarget.value)}
    >
      <option value="">{emptyText ?? texts.value.none}</option>
      {choices.value.map((choice) => <option key={String(choice.id)} value={String(choice.id)}>{textOf(choice)}
      </option>)}
    </select>
  );
}
