import { useEffect, useState } from "preact/hooks";
import { type AccessLog, loadLogs } from "./access_logs.ts";
import { Follower } from "./follower.ts";
import { filterOf, type Search } from "./search.ts";

const EVERY_MS = 2000;
/** Older logs leave the page beyond this number. */
const MAX_LOGS = 500;

interface Following {
  readonly logs: readonly AccessLog[];
  readonly error?: unknown;
}

/** Loads the logs that arrive after those of a page, every two seconds, until the page is undefined. */
export function useFollowing(
  search: Search,
  partition: number,
  page: readonly AccessLog[] | undefined,
): Following {
  const [followed, setFollowed] = useState<Following>({ logs: [] });
  useEffect(() => {
    setFollowed({ logs: [] });
    if (page === undefined) return;
    const end = new AbortController();
    let logs: readonly AccessLog[] = [];
    let timer: ReturnType<typeof setTimeout>;
    const follower = new Follower(
      (day, cursor, signal) =>
        // the next day begins with its latest part
        loadLogs(
          filterOf({ ...search, day }),
          { cursor, isNewer: true, partition: day === search.day ? partition : -1 },
          signal,
        ),
      search.day,
      page[0]?.requestId ?? "",
    );
    async function ask(): Promise<void> {
      try {
        const found = await follower.next(end.signal);
        if (end.signal.aborted) return;
        if (found.length > 0) logs = [...found, ...logs].slice(0, MAX_LOGS);
        setFollowed({ logs });
        timer = setTimeout(ask, EVERY_MS);
      } catch (error) {
        if (!end.signal.aborted) setFollowed({ logs, error });
      }
    }
    timer = setTimeout(ask, EVERY_MS);
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [page, partition]);
  return followed;
}
