import { jsonListField, referencesField, textField } from "edgehelm";
import { HTTPFirewallSetRefSchema } from "edgehelm/proto/shapes/http_firewall_pb.js";

/** The most sets of a group. */
export const MAX_SETS = 500;

interface Outlines {
  readonly isOn: boolean;
  readonly name: string;
  readonly description: string;
  readonly code: string;
}

/** Checks what a group is called. */
export function outlinesOf({ isOn, name, description, code }: Outlines): Outlines {
  return {
    isOn,
    name: textField("name", name, { min: 1 }),
    description: textField("description", description, { max: 1000 }),
    code: textField("code", code, { max: 100 }),
  };
}

/** Checks a list of references to sets and answers what it names. */
export function setRefsField(field: string, bytes: Uint8Array): { field: string; setId: bigint }[] {
  const refs = jsonListField(field, bytes, HTTPFirewallSetRefSchema) ?? [];
  return referencesField(field, refs, "setId", { max: MAX_SETS });
}
