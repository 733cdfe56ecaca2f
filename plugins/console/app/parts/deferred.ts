import { useEffect, useState } from "preact/hooks";

/**
 * Returns a value one paint later than it is given, so that a long list, which depends on it, does not hold up the key
 * that changed it.
 */
export function useDeferred<Value>(value: Value): Value {
  const [deferred, setDeferred] = useState(value);
  useEffect(() => setDeferred(value), [value]);
  return deferred;
}
