import type { ComponentChildren, JSX } from "preact";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { fill } from "../../../texts/fill.ts";
import type { User } from "./standing.ts";
import { texts } from "./texts.ts";

export interface DecisionProps extends ObjectProps {
  readonly onClose: () => void;
}

interface Props extends DecisionProps {
  readonly what: "turnOff" | "turnOn" | "approve" | "reject";
  readonly onAct: (user: User) => Promise<unknown>;
  readonly children?: ComponentChildren;
}

/** The dialog in which an operator decides about a user; it says what follows. */
export function Decision({ what, object, reload, onAct, onClose, children }: Props): JSX.Element {
  const { value: text } = texts;
  const user = object as User;
  return (
    <ActionDialog
      title={fill(text[`${what}Title`], { name: user.fullname || user.username })}
      action={text[what]}
      isDangerous={what === "turnOff" || what === "reject"}
      onAct={async () => {
        await onAct(user);
        reload();
      }}
      onClose={onClose}
    >
      <p>{text[`${what}Help`]}</p>
      {children}
    </ActionDialog>
  );
}
