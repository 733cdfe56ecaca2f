/** The script of the explorer. */
export const EXPLORER_SCRIPT = `
const token = document.getElementById("token");
document.getElementById("find").addEventListener("input", ({ target }) => {
  const wanted = target.value.toLowerCase();
  for (const part of document.querySelectorAll("details")) {
    part.hidden = !part.dataset.path.toLowerCase().includes(wanted);
  }
});
document.addEventListener("click", async ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  const part = target.closest("details");
  const output = part.querySelector("pre");
  const headers = token.value === "" ? {} : { "X-Cloud-Access-Token": token.value };
  output.textContent = "…";
  try {
    const body = part.querySelector("textarea").value;
    const response = await fetch(part.dataset.path, { method: "POST", headers, body });
    output.textContent = JSON.stringify(await response.json(), undefined, 2);
  } catch (error) {
    output.textContent = String(error);
  }
});
`;

/** The style of the explorer, with a light and a dark scheme. */
export const EXPLORER_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
details { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .4rem 0; }
summary { cursor: pointer; }
textarea { box-sizing: border-box; font: .9rem/1.4 ui-monospace, monospace; width: 100%; }
pre { overflow-x: auto; white-space: pre-wrap; }
`;
