import type { ComponentChildren, JSX } from "preact";
import { errorAbout } from "./error_about.ts";

/** What the control of a field gets, so that readers of screens hear its help and its error. */
export interface ControlProps {
  readonly id: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string | undefined;
}

interface FieldProps {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  /** The fields of the request that the control sets, by the names in the proto. */
  readonly names: readonly string[];
  /** The error of the server, shown if it is about one of the fields. */
  readonly error?: string | undefined;
  /** True if it has several controls, so that no label is for one of them. */
  readonly isGroup?: boolean;
  readonly children: (control: ControlProps) => ComponentChildren;
}

/** A control with its label, its help, and what the server says against it. */
export function Field({ id, label, help, names, error, isGroup, children }: FieldProps): JSX.Element {
  const own = errorAbout(names, error);
  const described = [help && `${id}-help`, own && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div class="field">
      {isGroup ? <span class="label">{label}</span> : <label for={id}>{label}</label>}
      {children({ id, "aria-invalid": own !== undefined, "aria-describedby": described || undefined })}
      {own !== undefined && <p class="error" id={`${id}-error`} role="alert">{own}</p>}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
    </div>
  );
}
