import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { chooseLanguage, language, LANGUAGES, texts } from "../texts/mod.ts";
import { isAway } from "./connection.ts";
import { Mark } from "./mark.tsx";
import { placeGroups } from "./navigation.ts";
import { NoticesLink } from "./notices_link.tsx";
import { isPaletteOpen, Palette } from "./palette.tsx";
import { linkTo, route } from "./route.ts";
import { leave, resources, session } from "./state.ts";
import { theme, toggleTheme } from "./theme.ts";

const isMenuOpen = signal(false);

/** What surrounds every page: the places on the left, the path and the search on top. */
export function Frame({ crumbs, children }: { crumbs: ComponentChildren; children: ComponentChildren }): JSX.Element {
  const { value: text } = texts;
  return (
    <div class="shell">
      <nav class={isMenuOpen.value ? "open" : undefined} onClick={() => isMenuOpen.value = false}>
        <a class="brand" href={linkTo([])}>
          <Mark /> Edgehelm
        </a>
        <Place link={linkTo([])} text={text.overview} />
        {placeGroups(resources.value).map(({ module, places }) => (
          <div key={module}>
            <h2>{text.moduleNames[module] ?? module}</h2>
            {places.map((place) => <Place key={place.link} {...place} />)}
          </div>
        ))}
        <div>
          <h2>{text.everything}</h2>
          <Place link={linkTo(["explorer"])} text={text.explorer} />
        </div>
        <footer>
          <a href={linkTo(["security"])}>{session.value?.name}</a>
          <button type="button" class="quiet" onClick={leave}>{text.signOut}</button>
        </footer>
      </nav>
      <div class="body">
        <header class="top">
          <button
            type="button"
            class="btn quiet menu"
            aria-label={text.menu}
            onClick={() => isMenuOpen.value = !isMenuOpen.value}
          >
            ☰
          </button>
          <div class="crumbs">{crumbs}</div>
          <button type="button" class="find" aria-label={text.search} onClick={() => isPaletteOpen.value = true}>
            <span>{text.search}</span>
            <kbd>Ctrl K</kbd>
          </button>
          <NoticesLink />
          <select
            aria-label={text.language}
            value={language.value}
            onChange={(event) => chooseLanguage(event.currentTarget.value as keyof typeof LANGUAGES)}
          >
            <option value="en">English</option>
            <option value="zh">中文</option>
          </select>
          <button type="button" class="btn quiet" aria-label={text.theme} onClick={toggleTheme}>
            {theme.value === "dark" ? text.light : text.dark}
          </button>
        </header>
        {isAway.value && <p class="away" role="status">{text.away}</p>}
        <main>{children}</main>
      </div>
      <Palette />
    </div>
  );
}

function Place({ link, text }: { link: string; text: string }): JSX.Element {
  const [first = "", second = ""] = route.value.steps;
  const isHere =
    link === linkTo(first === "resource" || first === "plugin" ? [first, second] : first === "" ? [] : [first]);
  return <a href={link} aria-current={isHere ? "page" : undefined}>{text}</a>;
}
