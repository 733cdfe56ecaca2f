import type { Group, Inspection, RuleSet, Side } from "./policy.ts";

/** A form that is open, with what the reader saw when it was opened. */
export type Doing =
  | { readonly what: "group"; readonly side: Side; readonly inspection: Inspection; readonly group?: Group }
  | { readonly what: "set"; readonly side: Side; readonly group: Group; readonly set?: RuleSet }
  | { readonly what: "rule"; readonly side: Side; readonly set: RuleSet; readonly index: number }
  | {
    readonly what: "remove";
    readonly name: string;
    readonly help: string;
    readonly act: () => Promise<void>;
  };
