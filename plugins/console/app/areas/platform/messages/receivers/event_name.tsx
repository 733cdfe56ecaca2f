import type { JSX } from "preact";
import { State } from "../../../../parts/state.tsx";
import { ALL, type EventType, isLevel, type Level, LEVEL_KINDS, subjectOf } from "./receiver.ts";
import { texts } from "./texts.ts";

/** Returns what a receiver is told of, in words. */
export function nameOfType(type: string, types: readonly EventType[]): string {
  const { value: text } = texts;
  if (type === ALL) return text.allEvents;
  if (isLevel(type)) return text.levels[type];
  const known = types.find((each) => each.type === type);
  return known === undefined ? type : subjectOf(known);
}

/** What a receiver is told of, with the level of a kind. */
export function EventName({ type, types }: { type: string; types: readonly EventType[] }): JSX.Element {
  const known = types.find((each) => each.type === type);
  const isKind = type !== ALL && !isLevel(type);
  return (
    <>
      <span class="event-name">{nameOfType(type, types)}</span>
      {known !== undefined && <LevelTag level={known.level} />}
      {isKind && <div class="dim">{known === undefined ? texts.value.unknown : type}</div>}
    </>
  );
}

/** The level of an event, in a word. */
export function LevelTag({ level }: { level: string }): JSX.Element {
  const known: Level = isLevel(level) ? level : "info";
  return <State kind={LEVEL_KINDS[known]} text={texts.value.levelNames[known]} />;
}
