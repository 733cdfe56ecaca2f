import type { Changes } from "../common/changes.tsx";
import type { PolicyChanges } from "./changes.ts";
import type { Doing } from "./doing.ts";

/** What the parts of the panel need to change the policy. */
export interface Tools {
  readonly policy: PolicyChanges;
  readonly make: Changes["make"];
  readonly open: (doing: Doing) => void;
}
