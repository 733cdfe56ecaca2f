import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { detailsOf, isJson } from "../parts/fields.ts";
import { isBlank, Value } from "../parts/value.tsx";
import type { Row } from "../shell/area.ts";
import { words } from "../shell/names.ts";
import { commentOf } from "../shell/state.ts";

interface DetailsProps {
  readonly message: DescMessage;
  readonly object: Row;
  /** The fields to show; without, all that have a value. */
  readonly fields?: readonly DescField[];
}

/** The fields of an object with their values. */
export function Details({ message, object, fields }: DetailsProps): JSX.Element {
  const shown = fields ?? detailsOf(message).filter((field) => !isBlank(object[field.localName]));
  return (
    <dl>
      {shown.map((field) => (
        <div key={field.name} class={isJson(field) ? "wide" : undefined}>
          <dt title={commentOf(`${field.parent.typeName}.${field.name}`)}>{words(field.name)}</dt>
          <dd>
            <Value field={field} value={object[field.localName]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
