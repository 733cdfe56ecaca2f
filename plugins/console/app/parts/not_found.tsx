import type { JSX } from "preact";
import { linkTo } from "../shell/route.ts";
import { texts } from "../texts/mod.ts";

/** What is shown for an address that leads to nothing the reader may see. */
export function NotFound(): JSX.Element {
  return (
    <div class="empty">
      <h1>{texts.value.notFound}</h1>
      <p>{texts.value.notFoundHelp}</p>
      <a class="btn" href={linkTo([])}>{texts.value.overview}</a>
    </div>
  );
}
