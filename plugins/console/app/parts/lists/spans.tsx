import type { JSX } from "preact";

interface SpansProps<Span extends string> {
  readonly offered: readonly (readonly [span: Span, text: string])[];
  readonly chosen: Span;
  readonly onChoose: (span: Span) => void;
}

/** The times of which figures can be shown. */
export function Spans<Span extends string>({ offered, chosen, onChoose }: SpansProps<Span>): JSX.Element {
  return (
    <>
      {offered.map(([span, text]) => (
        <button
          key={span}
          type="button"
          class={span === chosen ? "chip on" : "chip"}
          aria-pressed={span === chosen}
          onClick={() => onChoose(span)}
        >
          {text}
        </button>
      ))}
    </>
  );
}
