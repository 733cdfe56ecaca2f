import type { TestCaller } from "edgehelm/testing";

/** Something that the campaign asks the server to do. */
export type Act =
  | {
    readonly kind: "call";
    readonly role: TestCaller["role"];
    readonly id: number;
    readonly path: string;
    readonly body: object;
  }
  | { readonly kind: "notice"; readonly id: string; readonly secret: string; readonly body: string }
  | { readonly kind: "job"; readonly name: string }
  | { readonly kind: "advance"; readonly seconds: number };

/** A line that the server reads. */
export interface Command {
  readonly number: number;
  readonly act: Act;
}

/** A line that the server prints. */
export type Output =
  | { readonly kind: "ready" }
  | { readonly kind: "log"; readonly line: string }
  /** The time of the server in unix milliseconds. */
  | { readonly kind: "time"; readonly now: number }
  | {
    readonly kind: "response";
    readonly number: number;
    readonly value?: unknown;
    readonly error?: string;
  };
