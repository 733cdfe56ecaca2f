import process from "node:process";

/** The parameters of mallopt(3) in glibc, with what the environment calls them. */
const PARAMETERS = [
  { name: "MALLOC_ARENA_MAX", parameter: -8, value: 2 },
  { name: "MALLOC_TRIM_THRESHOLD_", parameter: -1, value: 128 * 1024 },
  { name: "MALLOC_MMAP_THRESHOLD_", parameter: -3, value: 128 * 1024 },
] as const;

/**
 * Lets glibc give memory back to the system that the database no longer uses. By default it keeps an arena for each
 * thread, so that a server grows by hundreds of megabytes in its first hour. Does nothing on Node, which calls no
 * functions of the system, and where there is no glibc; a variable of the environment is left as it is.
 *
 * @returns the names of what was set
 */
export function returnNativeMemory(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  if (process.platform !== "linux" || !("Deno" in globalThis)) return [];
  let libc;
  try {
    libc = Deno.dlopen("libc.so.6", { mallopt: { parameters: ["i32", "i32"], result: "i32" } });
  } catch {
    // another C library, or a process that may not call it
    return [];
  }
  const { mallopt } = libc.symbols;
  const set = PARAMETERS.filter(({ name, parameter, value }) =>
    environment[name] === undefined && mallopt(parameter, value) === 1
  );
  libc.close();
  return set.map(({ name }) => name);
}
