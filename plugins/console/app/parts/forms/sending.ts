import { useState } from "preact/hooks";
import { messageOf } from "../failure.tsx";
import { ChangedElsewhere } from "./unchanged.ts";

/** The state of a form that is sent. */
export interface Sending {
  /** The error of the last attempt, in the words of the server. */
  readonly error: string | undefined;
  /** True if the last attempt stopped because the object was changed elsewhere. */
  readonly isOutdated: boolean;
  readonly isSending: boolean;
  readonly submit: (event: Event) => Promise<void>;
}

/** Sends a form when it is submitted, once at a time. */
export function useSending(send: () => Promise<void>): Sending {
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setSending(true);
    try {
      await send();
      setError(undefined);
    } catch (caught) {
      setError(caught);
    } finally {
      setSending(false);
    }
  }
  return {
    error: error === undefined ? undefined : messageOf(error),
    isOutdated: error instanceof ChangedElsewhere,
    isSending,
    submit,
  };
}
