import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../../texts/mod.ts";
import { DOTS } from "./secret_names.ts";

/** A secret, hidden until it is asked for. */
export function Secret({ value }: { value: string }): JSX.Element {
  const [isShown, show] = useState(false);
  return (
    <span class="secret">
      <span class="mono">{isShown ? value : DOTS}</span>
      <button type="button" class="quiet" onClick={() => show(!isShown)}>
        {isShown ? texts.value.hide : texts.value.show}
      </button>
    </span>
  );
}
