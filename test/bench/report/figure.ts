/** The unit of a figure, which says whether less of it is better. */
export type Unit =
  | "us"
  | "ms"
  | "s"
  | "MB"
  | "KB"
  | "bytes"
  | "per s"
  | "per CPU s"
  | "times"
  | "trips"
  | "streams"
  | "%";

const MORE_IS_BETTER: readonly Unit[] = ["per s", "per CPU s", "times", "streams"];

/** One quantity that a suite measures. */
export interface Figure {
  readonly name: string;
  readonly unit: Unit;
}

/** A figure with the values of all rounds. */
export interface Samples {
  readonly figure: Figure;
  readonly values: readonly number[];
  /** The load of other processes while each value was measured, as a share of all cores. */
  readonly othersLoad: readonly number[];
}

export function isLessBetter({ unit }: Figure): boolean {
  return !MORE_IS_BETTER.includes(unit);
}

/** The processor time of one call in the server. */
export function cpuFigure(name: string): Figure {
  return { name: `${name}_cpu`, unit: "us" };
}

export function rateFigure(name: string): Figure {
  return { name: `${name}_rate`, unit: "per s" };
}
