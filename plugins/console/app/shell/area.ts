import type { ComponentType } from "preact";
import type { Resource } from "../api/resources.ts";
import type { Language } from "../texts/mod.ts";

/** A short text in every language, for what is loaded with the first page. */
export type Label = Readonly<Record<Language, string>>;

/** Loads a component when it is shown for the first time. */
export type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

/** One object, as the server returns it, by the names of its fields. */
export type Row = Readonly<Record<string, unknown>>;

/** A page that is made by hand, at `#/<key>`. */
export interface AreaPage {
  /** The first step of its address. */
  readonly key: string;
  readonly title: Label;
  /** The module whose group of the navigation shows it; a page without one is reached by links. */
  readonly group?: string;
  /** The kinds of objects whose lists it replaces in the navigation. */
  readonly replaces?: readonly string[];
  /** The kind of objects whose form for new ones it replaces. */
  readonly creates?: string;
  /** True if the reader may call what the page needs. */
  readonly isOffered: () => boolean;
  /** The steps of the address after the key. */
  readonly load: Load<{ readonly steps: readonly string[] }>;
}

/** The object that is shown, as panels and actions get it. */
export interface ObjectProps {
  readonly resource: Resource;
  readonly id: bigint;
  readonly object: Row;
  /** Loads the object again after a change. */
  readonly reload: () => void;
}

/** A part of the page of an object, made by hand: a tab before the lists of what belongs to it. */
export interface ObjectPanel {
  /** The kind of object, such as `NSDomain`. */
  readonly noun: string;
  readonly key: string;
  readonly title: Label;
  /** True if the reader may use it, and it makes sense for this object. */
  readonly isOffered: (object: Row) => boolean;
  /** Panels with smaller numbers come first; without one it is 0. */
  readonly rank?: number;
  /** The kind of object whose list the panel replaces, such as `NSRecord`. */
  readonly replaces?: string;
  readonly load: Load<ObjectProps>;
}

/** Something that can be done with an object, beside editing and deleting it: a button that opens a dialog. */
export interface ObjectAction {
  readonly noun: string;
  readonly key: string;
  readonly title: Label;
  /** True if the reader may do it, and it makes sense for this object. */
  readonly isOffered: (object: Row) => boolean;
  readonly load: Load<ObjectProps & { readonly onClose: () => void }>;
}

/** A part of the overview. */
export interface OverviewCard {
  readonly key: string;
  /** Cards with smaller numbers come first: what needs attention, then states, then charts. */
  readonly rank: number;
  readonly isOffered: () => boolean;
  readonly load: Load<Record<never, never>>;
}

/** The pages, panels, actions and cards of related services. Each is loaded when it is needed. */
export interface Area {
  readonly pages?: readonly AreaPage[];
  readonly panels?: readonly ObjectPanel[];
  readonly actions?: readonly ObjectAction[];
  readonly cards?: readonly OverviewCard[];
}

let known: readonly Area[] = [];

/** Makes areas known, before the first page is shown. */
export function registerAreas(areas: readonly Area[]): void {
  known = areas;
}

/** Returns the pages that the reader can use. */
export function areaPages(): AreaPage[] {
  return known.flatMap(({ pages }) => pages ?? []).filter(({ isOffered }) => isOffered());
}

/** Returns the panels of an object that the reader can use. */
export function panelsOf({ noun }: Resource, object: Row): ObjectPanel[] {
  return known.flatMap(({ panels }) => panels ?? []).filter((panel) => panel.noun === noun && panel.isOffered(object))
    .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
}

/** Returns what the reader can do with an object. */
export function actionsOf({ noun }: Resource, object: Row): ObjectAction[] {
  return known.flatMap(({ actions }) => actions ?? []).filter((action) =>
    action.noun === noun && action.isOffered(object)
  );
}

/** Returns the cards of the overview in their order. */
export function overviewCards(): OverviewCard[] {
  return known.flatMap(({ cards }) => cards ?? []).filter(({ isOffered }) => isOffered()).sort((one, other) =>
    one.rank - other.rank
  );
}
