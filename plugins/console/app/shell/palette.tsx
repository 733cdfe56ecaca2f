import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { language, texts } from "../texts/mod.ts";
import { areaPages } from "./area.ts";
import { offeredPluginPages } from "./plugin_pages.ts";
import { plural, withNoun } from "./names.ts";
import { goTo, linkTo } from "./route.ts";
import { operations, resources } from "./state.ts";

export const isPaletteOpen = signal(false);

interface Command {
  readonly text: string;
  readonly link: string;
}

const MAX_SHOWN = 12;

addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    isPaletteOpen.value = !isPaletteOpen.value;
  }
});

/** The search for places and actions, which opens with Ctrl K. */
export function Palette(): JSX.Element | null {
  return isPaletteOpen.value ? <OpenPalette /> : null;
}

function OpenPalette(): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  useEffect(() => element.current?.showModal(), []);
  const found = matching(typed);
  const close = () => isPaletteOpen.value = false;
  const open = (command: Command | undefined) => {
    if (command === undefined) return;
    close();
    goTo(command.link);
  };
  return (
    <dialog ref={element} class="palette" aria-label={texts.value.search} onClose={close}>
      <input
        type="text"
        placeholder={texts.value.search}
        aria-label={texts.value.search}
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={found.length === 0 ? undefined : `command-${chosen}`}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") open(found[chosen]);
          const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
          if (step === 0) return;
          event.preventDefault();
          setChosen((chosen + step + found.length) % Math.max(1, found.length));
        }}
      />
      <ul id="commands" role="listbox" aria-label={texts.value.search}>
        {found.map((command, index) => (
          <li
            key={command.link + command.text}
            id={`command-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => open(command)}
          >
            {command.text}
          </li>
        ))}
      </ul>
    </dialog>
  );
}

/** Returns the commands that contain every typed word; lists come before actions, and actions before operations. */
function matching(typed: string): Command[] {
  const parts = typed.toLowerCase().split(/\s+/);
  const { value: text } = texts;
  const all: Command[] = [
    ...areaPages().map(({ key, title }) => ({ text: title[language.value], link: linkTo([key]) })),
    ...offeredPluginPages().map(({ key, title }) => ({
      text: title[language.value] ?? title.en,
      link: linkTo(["plugin", key]),
    })),
    ...resources.value.map(({ noun }) => ({ text: plural(noun), link: linkTo(["resource", noun]) })),
    ...resources.value.filter(({ create }) => create !== undefined).map(({ noun }) => ({
      text: withNoun(text.add, noun),
      link: linkTo(["resource", noun, "new"]),
    })),
    ...operations.value.map(({ path, service, method }) => ({
      text: path.slice(1),
      link: linkTo(["explorer", service.name, method.localName]),
    })),
  ];
  return all.filter((command) => parts.every((part) => command.text.toLowerCase().includes(part))).slice(0, MAX_SHOWN);
}
