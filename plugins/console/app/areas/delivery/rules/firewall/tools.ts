import type { Changes } from "../common/changes.tsx";
import type { PolicyChanges } from "./changes.ts";
import type { Doing } from "./doing.ts";

/** The ways in which parts of the panel change the policy. */
export interface Tools {
  readonly policy: PolicyChanges;
  readonly make: Changes["make"];
  readonly open: (doing: Doing) => void;
}
