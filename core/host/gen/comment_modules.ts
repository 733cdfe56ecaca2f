/** Translations of comments by the English text; those of one language stand in one file. */
export type Catalog = Readonly<Record<string, string>>;

const ABOUT = "/** The comments of the proto files in this folder, by the full names of what they describe. */";

/**
 * Returns the modules with the comments of a folder, by the names of their files.
 *
 * @param comments the comments by the full names of what they describe
 * @param catalogs the translations of comments, by language, such as `zh`; a comment without one is not in the module
 */
export function commentModules(
  comments: ReadonlyMap<string, string>,
  catalogs: ReadonlyMap<string, Catalog> = new Map(),
): ReadonlyMap<string, string> {
  const languages = [...catalogs].sort(([one], [other]) => one < other ? -1 : 1);
  return new Map([
    ["comments_pb.ts", moduleOf(comments, languages.map(([language]) => language))],
    ...languages.map(([language, catalog]): [string, string] => {
      const translated = [...comments].flatMap(([name, text]): [string, string][] => {
        const translation = catalog[text];
        return translation === undefined ? [] : [[name, translation]];
      });
      return [`comments_${language}_pb.ts`, moduleOf(new Map(translated))];
    }),
  ]);
}

function moduleOf(comments: ReadonlyMap<string, string>, languages: readonly string[] = []): string {
  const lines = [...comments].sort(([one], [other]) => one < other ? -1 : 1)
    .map(([name, comment]) => `  ${JSON.stringify(name)}: ${JSON.stringify(comment)},`);
  return [
    "// Generated from the comments in the proto files of this folder. Do not edit.",
    "",
    ABOUT,
    "export const comments: Readonly<Record<string, string>> = {",
    ...lines,
    "};",
    "",
    ...languages.length === 0 ? [] : translationsOf(languages),
  ].join("\n");
}

function translationsOf(languages: readonly string[]): string[] {
  return [
    "/** Imports the same comments in other languages. */",
    "export const translations = {",
    ...languages.map((language) => `  ${language}: () => import("./comments_${language}_pb.ts"),`),
    "};",
    "",
  ];
}
