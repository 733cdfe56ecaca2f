import type { JSX } from "preact";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { fill } from "../../../texts/fill.ts";
import { texts } from "./texts.ts";

/** What the reader is doing with a row of a list. */
export interface Doing<Row> {
  readonly what: "turn" | "remove";
  readonly row: Row;
}

interface TurnProps {
  readonly name: string;
  /** True if it is on, and is turned off. */
  readonly isOn: boolean;
  /** What happens if it is turned off. */
  readonly offHelp: string;
  readonly onAct: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is turned on or off. */
export function TurnDialog({ name, isOn, offHelp, onAct, onClose }: TurnProps): JSX.Element {
  const { value: text } = texts;
  return (
    <ActionDialog
      title={fill(isOn ? text.turnOffTitle : text.turnOnTitle, { name })}
      action={isOn ? text.turnOff : text.turnOn}
      isDangerous={isOn}
      onAct={onAct}
      onClose={onClose}
    >
      <p>{isOn ? offHelp : text.turnOnHelp}</p>
    </ActionDialog>
  );
}

interface RemoveProps {
  readonly name: string;
  readonly help: string;
  readonly onAct: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is deleted. */
export function RemoveDialog({ name, help, onAct, onClose }: RemoveProps): JSX.Element {
  const { value: text } = texts;
  return (
    <ActionDialog
      title={fill(text.removeTitle, { name })}
      action={text.remove}
      isDangerous
      onAct={onAct}
      onClose={onClose}
    >
      <p>{help}</p>
    </ActionDialog>
  );
}

interface ButtonsProps {
  readonly name: string;
  readonly isOn: boolean;
  readonly mayTurn: boolean;
  readonly mayRemove: boolean;
  readonly onDo: (what: Doing<unknown>["what"]) => void;
}

/** The buttons of a row that can be turned off and deleted. */
export function RowButtons({ name, isOn, mayTurn, mayRemove, onDo }: ButtonsProps): JSX.Element {
  const { value: text } = texts;
  return (
    <td class="buttons">
      {mayTurn && (
        <button
          type="button"
          class="btn quiet"
          aria-label={fill(isOn ? text.turnOffTitle : text.turnOnTitle, { name })}
          onClick={() => onDo("turn")}
        >
          {isOn ? text.turnOff : text.turnOn}
        </button>
      )}
      {mayRemove && (
        <button
          type="button"
          class="btn quiet"
          aria-label={fill(text.removeTitle, { name })}
          onClick={() => onDo("remove")}
        >
          {text.remove}
        </button>
      )}
    </td>
  );
}
