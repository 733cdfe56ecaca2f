/**
 * The text between the parts in which a built file is kept: that of an import whose module is computed, which bundles
 * for edge runtimes may not contain. Here it is the code of pages.
 */
export const SEPARATOR: string = ["import", "("].join("");
