/** The state of a Vitest worker, with the modules that it has evaluated. */
interface Worker {
  readonly evaluatedModules: {
    readonly idToModuleMap: ReadonlyMap<string, { readonly file: string; exports?: unknown; promise?: unknown }>;
    invalidateModule(module: object): void;
  };
}

const tests = new URL("..", import.meta.url).pathname;
const { evaluatedModules } = (globalThis as unknown as { readonly __vitest_worker__: Worker }).__vitest_worker__;

// A worker runs one file after another, which spares each of them loading the kernel. The modules of the tests
// themselves, such as rigs with hooks and clocks, are evaluated for each file.
for (const module of evaluatedModules.idToModuleMap.values()) {
  if (module.file.startsWith(tests) && !module.file.startsWith(`${tests}setup/`)) {
    evaluatedModules.invalidateModule(module);
  }
}
