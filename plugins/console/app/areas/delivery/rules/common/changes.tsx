import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { messageOf } from "../../../../parts/failure.tsx";
import { texts } from "./texts.ts";

/** Takes a change back. */
export type TakeBack = () => Promise<unknown>;

/** Makes changes one after the other. Returns what takes all of them back. */
export async function inTurn(acts: readonly (() => Promise<TakeBack>)[]): Promise<TakeBack> {
  const takeBacks: TakeBack[] = [];
  for (const act of acts) takeBacks.unshift(await act());
  return async () => {
    for (const takeBack of takeBacks) await takeBack();
  };
}

/** The last change of a panel of rules. */
export interface Changes {
  /** Makes a change without a form, loads the rules again, and offers to take it back. */
  readonly make: (done: string, act: () => Promise<TakeBack>) => Promise<void>;
  /** Loads the rules again after a form, whose change cannot be taken back. */
  readonly settle: () => Promise<void>;
  readonly notice: JSX.Element;
}

interface Outcome {
  readonly done?: string;
  readonly takeBack?: TakeBack;
  readonly error?: unknown;
}

/** Keeps the last change of a panel, so that it can be taken back. */
export function useChanges(refresh: () => Promise<void>): Changes {
  const [outcome, setOutcome] = useState<Outcome>({});
  const isUnderWay = useRef(false);
  async function attempt(act: () => Promise<Outcome>): Promise<void> {
    // the rules that a second click saw are those before the first
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const next = await act().catch((error): Outcome => ({ error }));
    await refresh();
    setOutcome(next);
    isUnderWay.current = false;
  }
  const { takeBack } = outcome;
  const undo = takeBack && (() =>
    attempt(async () => {
      await takeBack();
      return { done: texts.value.undone };
    }));
  return {
    make: (done, act) => attempt(async () => ({ done, takeBack: await act() })),
    settle: async () => {
      setOutcome({});
      await refresh();
    },
    notice: <Notice outcome={outcome} onUndo={undo} onDismiss={() => setOutcome({})} />,
  };
}

interface NoticeProps {
  readonly outcome: Outcome;
  readonly onUndo: (() => void) | undefined;
  readonly onDismiss: () => void;
}

function Notice({ outcome: { done, error }, onUndo, onDismiss }: NoticeProps): JSX.Element {
  const { value: text } = texts;
  const isShown = done !== undefined || error !== undefined;
  return (
    <div class={isShown ? "dock" : undefined} role="status">
      {isShown && (
        <>
          <span class={error === undefined ? undefined : "error"}>{error === undefined ? done : messageOf(error)}</span>
          <span class="sp" />
          {onUndo && <button type="button" class="btn" onClick={onUndo}>{text.undo}</button>}
          <button type="button" class="btn quiet" onClick={onDismiss}>{text.dismiss}</button>
        </>
      )}
    </div>
  );
}
