import type { DescMessage } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { words } from "../../shell/names.ts";
import { texts } from "../../texts/mod.ts";
import type { Draft } from "../draft.ts";

interface ConflictsProps {
  readonly message: DescMessage;
  readonly names: readonly string[];
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly onTake: (name: string) => void;
}

/** The fields that were changed elsewhere while the reader changed them, with both values. */
export function Conflicts({ message, names, mine, theirs, onTake }: ConflictsProps): JSX.Element {
  const { value: text } = texts;
  return (
    <section class="panel pad conflicts" role="alert">
      <h2>{text.conflict}</h2>
      <p>{text.conflictHelp}</p>
      <ul>
        {message.fields.filter(({ localName }) => names.includes(localName)).map(({ name, localName }) => (
          <li key={name}>
            <b>{words(name)}</b>
            <span>
              {text.theirs} <code>{theirs[localName] || text.none}</code>
            </span>
            <span>
              {text.yours} <code>{mine[localName] || text.none}</code>
            </span>
            <button
              type="button"
              class="btn"
              onClick={() =>
                onTake(localName)}
            >
              {`${text.takeTheirs}: ${words(name)}`}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
