import { textField } from "edgehelm";
import { referencesField } from "edgehelm/fields";
import { jsonListField } from "edgehelm/wire";
import { HTTPFirewallSetRefSchema } from "edgehelm/proto/shapes/http_firewall_pb.js";

/** The maximum number of sets in a group. */
export const MAX_SETS = 500;

interface GroupFields {
  readonly isOn: boolean;
  readonly name: string;
  readonly description: string;
  readonly code: string;
}

/** Checks the fields of a group. */
export function fieldsOf({ isOn, name, description, code }: GroupFields): GroupFields {
  return {
    isOn,
    name: textField("name", name, { min: 1 }),
    description: textField("description", description, { max: 1000 }),
    code: textField("code", code, { max: 100 }),
  };
}

/** Checks a list of references to sets. Returns the ids with the fields that contain them. */
export function setRefsField(field: string, bytes: Uint8Array): { field: string; setId: bigint }[] {
  const refs = jsonListField(field, bytes, HTTPFirewallSetRefSchema) ?? [];
  return referencesField(field, refs, "setId", { max: MAX_SETS });
}
