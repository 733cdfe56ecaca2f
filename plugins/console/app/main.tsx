import { effect } from "@preact/signals";
import { type ComponentChildren, type JSX, render } from "preact";
import { AREAS } from "./areas/mod.ts";
import { CreatePage, EditPage } from "./pages/edit.tsx";
import { ListPage } from "./pages/list.tsx";
import { crumbsOf, ObjectPage } from "./pages/object.tsx";
import { OverviewPage } from "./pages/overview.tsx";
import { SignInPage } from "./pages/sign_in.tsx";
import { Lazy } from "./parts/lazy.tsx";
import { NotFound } from "./parts/not_found.tsx";
import { areaPages, registerAreas } from "./shell/area.ts";
import { Frame } from "./shell/frame.tsx";
import { loadPluginPages, pluginPages } from "./shell/plugin_pages.ts";
import { route } from "./shell/route.ts";
import { shownNameOf } from "./shell/shown.ts";
import { awaitedSignIn, isOpening, mayRegister, mayReset, reopen, resources, session } from "./shell/state.ts";
import { watchUnread } from "./shell/unread.ts";
import { chooseLanguage, language, texts } from "./texts/mod.ts";

function Console(): JSX.Element {
  if (isOpening.value) return <main aria-busy="true" />;
  if (session.value === undefined) {
    if (mayRegister.value && route.value.steps[0] === "register") return <Lazy load={loadRegister} props={{}} />;
    if (mayReset.value && route.value.steps[0] === "reset_password") return <Lazy load={loadReset} props={{}} />;
    return <SignInPage />;
  }
  if (session.value.mustSetUp) {
    return (
      <main>
        <Lazy load={loadSecurity} props={{ code: undefined }} />
      </main>
    );
  }
  const { crumbs, page } = current();
  const isOver = awaitedSignIn.value !== undefined;
  return (
    <>
      <div inert={isOver}>
        <Frame crumbs={crumbs}>{page}</Frame>
      </div>
      {isOver && <SignInPage />}
    </>
  );
}

function current(): { readonly crumbs: ComponentChildren; readonly page: JSX.Element } {
  const [place, noun, id, action] = route.value.steps;
  const made = areaPages().find(({ key }) => key === place);
  if (made !== undefined) {
    const page = <Lazy key={made.key} load={made.load} props={{ steps: route.value.steps.slice(1) }} />;
    return { crumbs: <b>{made.title[language.value]}</b>, page };
  }
  if (place === undefined) return { crumbs: <b>{texts.value.overview}</b>, page: <OverviewPage /> };
  if (place === "plugin") {
    const own = pluginPages.value.find(({ key }) => key === noun);
    const crumbs = <b>{own?.title[language.value] ?? own?.title.en}</b>;
    return { crumbs, page: <Lazy load={loadPluginPage} props={{ steps: route.value.steps.slice(1) }} /> };
  }
  if (place === "security" || place === "verify_email") {
    const code = place === "verify_email" ? noun : undefined;
    return { crumbs: <b>{texts.value.security}</b>, page: <Lazy load={loadSecurity} props={{ code }} /> };
  }
  if (place === "explorer") {
    return { crumbs: <b>{texts.value.explorer}</b>, page: <Lazy load={loadExplorer} props={{}} /> };
  }
  const resource = place === "resource" ? resources.value.find((candidate) => candidate.noun === noun) : undefined;
  if (resource === undefined) return { crumbs: null, page: <NotFound /> };
  const { text, link } = crumbsOf(resource);
  if (id === undefined) return { crumbs: <b>{text}</b>, page: <ListPage key={noun} resource={resource} /> };
  const crumbs = (
    <>
      <a href={link}>{text}</a> / <b>{id === "new" ? texts.value.add : shownNameOf(resource.noun, id)}</b>
    </>
  );
  const creating = id === "new" ? areaPages().find(({ creates }) => creates === noun) : undefined;
  if (creating !== undefined) {
    return { crumbs, page: <Lazy key={creating.key} load={creating.load} props={{ steps: ["new"] }} /> };
  }
  if (id === "new") return { crumbs, page: <CreatePage key={noun} resource={resource} /> };
  const page = action === "edit"
    ? <EditPage key={`${noun} ${id}`} resource={resource} id={id} />
    : <ObjectPage key={`${noun} ${id}`} resource={resource} id={id} />;
  return { crumbs, page };
}

const loadPluginPage = () => import("./pages/plugin_page.tsx");
const loadRegister = () => import("./pages/register.tsx");
const loadReset = () => import("./pages/reset_password.tsx");
const loadSecurity = () => import("./pages/security.tsx");
const loadExplorer = () => import("./pages/explorer.tsx");

registerAreas(AREAS);
const root = document.getElementById("console")!;
chooseLanguage(language.value);
render(<Console />, root);
effect(() => {
  if (session.value !== undefined) loadPluginPages().catch(() => undefined);
});
watchUnread();
reopen();
