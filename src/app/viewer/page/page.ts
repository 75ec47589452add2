/** The entry point of the viewer's page. */
import { html } from "htm/preact";
import { render } from "preact";
import { App } from "./app.ts";
import { ENDED, enter, type Problem } from "./call.ts";
import { ProblemNote } from "./parts.ts";

const CLOSED: Problem = { ...ENDED, message: "This page was not opened by the viewer." };
const root = document.getElementById("app") as HTMLElement;

enter().then(
  (isIn) =>
    render(isIn ? html`<${App} />` : html`<main><${ProblemNote} problem=${CLOSED} /></main>`, root),
  (problem) => render(html`<main><${ProblemNote} problem=${problem} /></main>`, root),
);
