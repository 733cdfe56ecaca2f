/**
 * Imports a module when its command runs. Deno reads every module that a literal names in `import()`, at once and for all
 * commands, which takes longer than most commands themselves.
 *
 * @param path relative to this folder
 */
export async function importLater<Module>(path: `${string}.ts`): Promise<Module> {
  // packages contain JavaScript
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));
  return await import(new URL(path.replace(/\.ts$/, extension), import.meta.url).href) as Module;
}
