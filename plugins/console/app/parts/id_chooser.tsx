import type { DescField } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import type { Resource } from "../api/resources.ts";
import { call } from "../shell/call.ts";
import { references, resources } from "../shell/state.ts";
import { texts } from "../texts/mod.ts";
import { useLoaded } from "./loaded.ts";
import { TextInput } from "./text_input.tsx";
import { textOf } from "./value.tsx";

/** Beyond this number of objects, the id is typed. */
const MAX_CHOICES = 200n;

/** Returns the kind of object that a field names by its id or ids, if the reader may list it. */
export function referredBy(field: DescField): Resource | undefined {
  const { localName, fieldKind, message, parent } = field;
  if (fieldKind === "map" || message !== undefined || !/Ids?$/.test(localName)) return undefined;
  const declared = references.value.get(`${parent.typeName}.${localName}`);
  const noun = (declared ?? localName.replace(/Ids?$/, "")).toLowerCase();
  return resources.value.find((resource) => resource.noun.toLowerCase() === noun && !needsMore(resource));
}

/** True if the list is that of another object, so that it cannot offer choices without it. */
function needsMore({ list: { method: { localName, input } } }: Resource): boolean {
  return localName.startsWith("list") && !input.fields.some(({ localName }) => localName === "size") &&
    input.fields.length > 0;
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
  { id, resource, value: given, isInvalid, describedBy, emptyText, onInput }: IdChooserProps,
): JSX.Element {
  const choices = useChoices(resource);
  // a stored id of 0 means that nothing is chosen
  const value = given === "0" ? "" : given;
  if (choices === "loading") {
    return (
      <select id={id} disabled aria-describedby={describedBy}>
        <option>{texts.value.loading}</option>
      </select>
    );
  }
  const isKnown = value === "" || (choices !== "typed" && choices.some((choice) => choice.id === value));
  if (choices === "typed" || !isKnown) {
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
      {choices.map((choice) => <option key={choice.id} value={choice.id}>{choice.name}</option>)}
    </select>
  );
}

type IdsChooserProps = Omit<IdChooserProps, "emptyText"> & { readonly label: string };

/** Chooses objects by their names, where a request wants their ids. They are typed where there are too many. */
export function IdsChooser(
  { id, label, resource, value, isInvalid, describedBy, onInput }: IdsChooserProps,
): JSX.Element {
  const choices = useChoices(resource);
  const chosen = value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const described = { id, "aria-describedby": describedBy, "aria-invalid": isInvalid };
  if (choices === "loading") return <span class="dim">{texts.value.loading}</span>;
  if (choices === "typed" || chosen.some((one) => !choices.some((choice) => choice.id === one))) {
    const input = (event: Event) => onInput((event.currentTarget as HTMLTextAreaElement).value);
    return <textarea {...described} rows={3} class="mono" value={value} onInput={input} />;
  }
  const toggle = (one: string) =>
    onInput((chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]).join("\n"));
  return (
    <div {...described} class="choices" role="group" aria-label={label}>
      {choices.length === 0 && <span class="dim">{texts.value.none}</span>}
      {choices.map((choice) => (
        <label key={choice.id} class="check">
          <input type="checkbox" checked={chosen.includes(choice.id)} onChange={() => toggle(choice.id)} />
          {choice.name}
        </label>
      ))}
    </div>
  );
}

interface Choice {
  readonly id: string;
  readonly name: string;
}

/** Loads what there is to choose. Where there is too much of it, or it cannot be had, ids are typed. */
function useChoices(resource: Resource): readonly Choice[] | "loading" | "typed" {
  const { value, isLoading } = useLoaded(async (signal) => {
    const isPaged = resource.list.method.input.fields.some(({ localName }) => localName === "size");
    const response = await call(resource.list, isPaged ? { offset: 0n, size: MAX_CHOICES } : {}, signal);
    return response[resource.items.localName] as readonly { readonly id: bigint }[];
  }, [resource.noun]);
  if (value === undefined) return isLoading ? "loading" : "typed";
  if (BigInt(value.length) >= MAX_CHOICES) return "typed";
  return value.map((choice) => ({ id: String(choice.id), name: textOf(choice) }));
}
