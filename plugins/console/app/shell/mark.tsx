import type { JSX } from "preact";

/** The mark of the project: a helm. */
export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true">
      <circle cx="10" cy="10" r="7.5" />
      <circle cx="10" cy="10" r="2.4" />
      <path d="M10 .8v4.8M10 14.4v4.8M.8 10h4.8M14.4 10h4.8M3.5 3.5l4.3 4.3M12.2 12.2l4.3 4.3M16.5 3.5l-4.3 4.3M7.8 12.2l-4.3 4.3" />
    </svg>
  );
}
