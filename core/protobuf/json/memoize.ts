/** Caches the result of `make` for each key, as long as the key is reachable. */
export function memoize<Key extends WeakKey, Result>(make: (key: Key) => Result): (key: Key) => Result {
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
