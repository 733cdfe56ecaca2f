import type { JSX } from "preact";
import { Decision, type DecisionProps } from "./decision.tsx";
import { turn } from "./standing.ts";

/** Turns a user on or off. */
export default function Turn(props: DecisionProps): JSX.Element {
  const isOn = props.object["isOn"] === true;
  return <Decision {...props} what={isOn ? "turnOff" : "turnOn"} onAct={(user) => turn(user, !isOn)} />;
}
