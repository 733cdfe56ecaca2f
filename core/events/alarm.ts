import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Call } from "../base/call.ts";
import { defineEvent, type EventKind, type EventLevel, type EventTexts } from "./event_kind.ts";

/** A state of the platform that is an event when it begins, and another one when it ends. */
export interface Alarm<Data extends DescMessage = DescMessage> {
  readonly name: string;
  /** True if it concerns a machine, which looks for it itself; otherwise one instance looks for all. */
  readonly isOfMachine: boolean;
  readonly began: EventKind<Data>;
  readonly ended: EventKind<Data>;
}

/** A subject for which the state of an alarm is present. `beganAt` is added to its data. */
export interface AlarmFinding<Data extends DescMessage = DescMessage> {
  /** Identifies it within the alarm. */
  readonly subject: string;
  readonly data: MessageInitShape<Data>;
}

/** Looks for the state of an alarm. */
export interface AlarmSource {
  readonly alarm: Alarm;
  /**
   * Returns all subjects for which the state is present; undefined if that is not known now.
   *
   * @param begun the subjects whose alarm has begun
   */
  find(call: Call, begun: ReadonlySet<string>): Promise<readonly AlarmFinding[] | undefined>;
}

/** The argument of {@link defineAlarm}. */
export interface AlarmSpec<Data extends DescMessage> {
  readonly name: string;
  readonly isOfMachine?: boolean;
  /** The schema of the data of both events. */
  readonly data: Data;
  readonly about: Exclude<string & keyof MessageShape<Data>, "$typeName" | "$unknown">;
  /** The event of its beginning. */
  readonly began: { readonly name: string; readonly level: EventLevel; readonly texts: EventTexts };
  /** The event of its end. */
  readonly ended: { readonly name: string; readonly texts: EventTexts };
}

/** Declares an alarm. */
export function defineAlarm<Data extends DescMessage>(
  { name, isOfMachine = false, data, about, began, ended }: AlarmSpec<Data>,
): Alarm<Data> {
  return {
    name,
    isOfMachine,
    began: defineEvent({ ...began, data, about }),
    ended: defineEvent({ ...ended, level: "success", data, about }),
  };
}

/** Creates a source, which finds data of its alarm. */
export function alarmSource<Data extends DescMessage>(
  alarm: Alarm<Data>,
  find: (call: Call, begun: ReadonlySet<string>) => Promise<readonly AlarmFinding<Data>[] | undefined>,
): AlarmSource {
  return { alarm: alarm as unknown as Alarm, find: find as AlarmSource["find"] };
}
