/** The same result for the same key, as long as the key lives. */
export function memoised<Key extends WeakKey, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) {
      result = make(key);
      results.set(key, result);
    }
    return result;
  };
}
