/** Runs an action for each item, with a limited number at a time. Throws the first error, after all have ended. */
export async function eachLimited<Item>(
  items: readonly Item[],
  limit: number,
  action: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const work = async () => {
    for (const item of rest) await action(item);
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, work));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
