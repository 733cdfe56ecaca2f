import type { JSX } from "preact";
import type { ObjectProps } from "../../../shell/area.ts";
import { resources } from "../../../shell/state.ts";
import type { Zone } from "./send.ts";
import { ZoneEditor } from "./zone_editor.tsx";

/** The records of a domain. */
export default function ZonePanel({ object }: ObjectProps): JSX.Element | null {
  const records = resources.value.find(({ noun }) => noun === "NSRecord");
  const { id, name, userId } = object as unknown as Zone;
  if (records === undefined) return null;
  const createTogether = records.operations.find(({ method }) => method.localName === "createNSRecordsWithDomainNames");
  return <ZoneEditor records={{ ...records, createTogether }} domain={{ id, name, userId }} />;
}
