import type { JSX } from "preact";
import { fill } from "../../../../texts/fill.ts";
import { texts } from "./texts.ts";

interface RowButtonsProps {
  /** The name of the thing that the buttons are for, such as a group. */
  readonly name: string;
  readonly isOn: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** These are left out if the reader may not do it. */
  readonly onMove?: ((step: -1 | 1) => void) | undefined;
  readonly onSwitch?: (() => void) | undefined;
  readonly onEdit?: (() => void) | undefined;
  readonly onRemove?: (() => void) | undefined;
}

/** The buttons of one thing in an ordered list, each named with it for readers of screens. */
export function RowButtons(props: RowButtonsProps): JSX.Element {
  const { name, isOn, isFirst, isLast, onMove, onSwitch, onEdit, onRemove } = props;
  const { value: text } = texts;
  const button = (action: string, act: () => void, sign = action, isDisabled = false) => (
    <button
      type="button"
      class="btn quiet"
      aria-label={fill(text.of, { action, name })}
      disabled={isDisabled}
      onClick={act}
    >
      {sign}
    </button>
  );
  return (
    <span class="rule-buttons">
      {onMove && button(text.moveUp, () => onMove(-1), "↑", isFirst)}
      {onMove && button(text.moveDown, () => onMove(1), "↓", isLast)}
      {onSwitch && button(isOn ? text.turnOff : text.turnOn, onSwitch)}
      {onEdit && button(text.edit, onEdit)}
      {onRemove && button(text.remove, onRemove)}
    </span>
  );
}
