import type { JSX } from "preact";
import { callPath } from "../../../shell/call.ts";
import { Decision, type DecisionProps } from "./decision.tsx";
import { VERIFY } from "./standing.ts";

/** Approves the registration of a user. */
export default function Approve(props: DecisionProps): JSX.Element {
  return <Decision {...props} what="approve" onAct={({ id }) => callPath(VERIFY, { userId: id })} />;
}
