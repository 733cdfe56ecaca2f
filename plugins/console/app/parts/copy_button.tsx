import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts/mod.ts";

/** Copies a text to the clipboard; `what` names it for those who cannot see what it stands beside. */
export function CopyButton({ text, what }: { text: string; what: string }): JSX.Element {
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === text;
  return (
    <button
      type="button"
      class="btn quiet copy"
      aria-label={`${isCopied ? texts.value.copied : texts.value.copy} ${what}`}
      onClick={async () => {
        await copy(text);
        setCopied(text);
      }}
    >
      {isCopied ? texts.value.copied : texts.value.copy}
    </button>
  );
}

/** Browsers have no clipboard on pages without TLS; there the selection is copied. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return await navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
