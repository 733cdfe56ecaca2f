import type { JSX } from "preact";
import type { ObjectProps } from "../../../shell/area.ts";
import { resources } from "../../../shell/state.ts";
import { ZoneEditor } from "./zone_editor.tsx";

/** The records of a domain. */
export default function ZonePanel({ object }: ObjectProps): JSX.Element | null {
  const records = resources.value.find(({ noun }) => noun === "NSRecord");
  const { id, name } = object as { readonly id: bigint; readonly name: string };
  return records === undefined ? null : <ZoneEditor records={records} domain={{ id, name }} />;
}
