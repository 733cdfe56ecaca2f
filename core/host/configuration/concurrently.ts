/** The number of calls that run at the same time. */
const MAX_CALLS = 8;

/**
 * Runs work for each item, several at a time. After an error no further work begins, and the error is thrown when all
 * work that had begun has ended.
 */
export async function concurrently<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  async function run(): Promise<void> {
    while (failure === undefined && next < items.length) {
      const index = next++;
      try {
        await work(items[index]!, index);
      } catch (error) {
        failure ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(MAX_CALLS, items.length) }, run));
  if (failure !== undefined) throw failure.error;
}
