import type { JSX } from "preact";
import type { ControlProps } from "../../../parts/forms/field.tsx";
import { IdChooser, IdsChooser } from "../../../parts/id_chooser.tsx";
import { TextInput } from "../../../parts/text_input.tsx";
import { resources } from "../../../shell/state.ts";

interface ObjectChoiceProps {
  readonly control: ControlProps;
  /** The kind of object, such as `Admin`. */
  readonly noun: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** Chooses an object by its name; readers who may not list the objects type the id. */
export function ObjectChoice({ control, noun, value, onInput }: ObjectChoiceProps): JSX.Element {
  const { id, "aria-invalid": isInvalid, "aria-describedby": describedBy } = control;
  const common = { id, isInvalid, describedBy, value, onInput };
  const resource = resources.value.find((candidate) => candidate.noun === noun);
  return resource === undefined
    ? <TextInput {...common} isSecret={false} autocomplete="off" />
    : <IdChooser {...common} resource={resource} />;
}

/** Chooses several objects by their names. */
export function ObjectChoices({ control, noun, label, value, onInput }: ObjectChoiceProps & { label: string }) {
  const { id, "aria-invalid": isInvalid, "aria-describedby": describedBy } = control;
  const resource = resources.value.find((candidate) => candidate.noun === noun)!;
  return (
    <IdsChooser
      id={id}
      label={label}
      isInvalid={isInvalid}
      describedBy={describedBy}
      resource={resource}
      value={value}
      onInput={onInput}
    />
  );
}
