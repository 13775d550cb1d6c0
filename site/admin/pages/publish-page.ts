import type { Findings } from "../../content-check/problem.ts";
import { isAbout } from "../content/draft-check.ts";
import type { Person } from "../content/git.ts";
import { type Html, html } from "../frame/html.ts";
import { renderPage } from "../frame/page.ts";
import { type ChangedFile, type Edit, isOfShop } from "../publication/changes.ts";
import type { Line } from "../publication/differences.ts";
import { pagePathOf } from "../publication/preview.ts";
import { type Failure, type Progress, type PublicationRequest, STEPS } from "../publication/request.ts";
import type { AdminWords } from "../words.ts";
import { nameOf, renderProblems } from "./problems.ts";

export interface PublishView {
  words: AdminWords;
  editor: Person;
  /** Whether the editor may publish the shop's own files. */
  mayShop: boolean;
  /** The drafts that the page shows. */
  drafts: string;
  files: readonly ChangedFile[];
  /** Who last saved each of the files. */
  edits: ReadonlyMap<string, Edit>;
  differences: ReadonlyMap<string, readonly Line[]>;
  findings: Findings;
  /** The publication that is asked for or under way. */
  request: PublicationRequest | undefined;
  /** How far that one is; without one, how the last one ended. */
  progress: Progress | undefined;
  /** Why what the editor has just asked for wasn't done. */
  problem?: string | Failure;
}

/** More would make a page of many megabytes; the others are listed by name. */
const MOST_DIFFERENCES = 200;
const MOST_LINES = 300;

/** The page at /admin/publish: what would go live, what the check says of it, and how far the last publication is. */
export function renderPublish(view: PublishView): string {
  const { words, files, request } = view;
  const conflicts = files.filter(({ isConflict }) => isConflict);
  const parts = [
    view.problem &&
      html`<div class="notice bad" role="alert">${renderFailure(words, view.problem)}</div>
`,
    renderProgress(view),
    conflicts.length > 0 ? renderConflicts(view, conflicts) : undefined,
    request ? undefined : renderFindings(view),
    request ? undefined : renderFiles(view),
  ];
  const title = words.parts.publish.name;
  return renderPage({ words, title, place: "publish", head: request ? reload : undefined, main: html`${parts}` });
}

/** Without admin.js, which shows the progress in place. */
const reload = html`<noscript><meta http-equiv="refresh" content="1"></noscript>
`;

function renderProgress({ words, request, progress }: PublishView): Html | undefined {
  const { publish } = words;
  if (request) {
    const step = progress?.step ?? "merge";
    return html`<div class="notice wait" role="status" data-running>
<p>${publish.running({ name: request.editor.name })} ${publish.steps[step]}</p>
<progress max="${STEPS.length}" value="${STEPS.indexOf(step)}" aria-label="${publish.steps[step]}"></progress>
</div>
`;
  }
  if (progress === undefined) return undefined;
  const { isLive, failure, editor } = progress;
  const again = html`<form method="post" action="/admin/publish"><button type="submit" name="again">${publish.again}</button></form>
`;
  return html`<div class="notice ${isLive ? "good" : "bad"}" role="status">
<p>${(isLive ? publish.live : publish.not_live)({ name: editor.name })}</p>
${failure && renderFailure(words, failure)}${failure?.reason === "not_shown" ? again : undefined}</div>
`;
}

/** Why something couldn't be done, what it is about, and what to do. */
function renderFailure(words: AdminWords, failure: string | Failure): Html {
  if (typeof failure === "string") return html`<p>${failure}</p>`;
  const { reason, items = [], reference } = failure;
  const files = html`<ul>${items.map((path) => html`<li>${nameOf(path)}</li>`)}</ul>`;
  const list = reason === "mistakes" ? renderProblems(words, items) : files;
  const more = reference === undefined ? undefined : words.problems.reference({ reference });
  return html`<p>${words.publish.reasons[reason]} ${more}</p>
${items.length > 0 ? list : undefined}`;
}

/** What the check says of files that don't differ from what is live; the rest stands at its file. */
function renderFindings({ words, files, findings }: PublishView): Html {
  const { publish } = words;
  const isElsewhere = (problem: string) => files.every(({ path }) => !isAbout(problem, path));
  const [errors, warnings] = [findings.errors.filter(isElsewhere), findings.warnings.filter(isElsewhere)];
  if (errors.length + warnings.length === 0 && findings.errors.length + findings.warnings.length > 0) return html``;
  return html`<h2>${publish.check}</h2>
${errors.length + warnings.length === 0 ? html`<p>${publish.no_problems}</p>` : undefined}
${errors.length > 0 ? html`<div class="notice bad"><p>${publish.errors}</p>${renderProblems(words, errors)}</div>` : undefined}
${warnings.length > 0 ? html`<div class="notice wait"><p>${publish.warnings}</p>${renderProblems(words, warnings)}</div>` : undefined}
`;
}

/** A file is ticked if whoever opened the page saved it last, and it has no mistakes. */
function renderFiles(view: PublishView): Html | undefined {
  const { words, editor, mayShop, drafts, files, edits, differences, findings } = view;
  const { publish } = words;
  if (files.length === 0) return html`<p>${publish.nothing}</p>`;
  const publishable = files.filter(({ isConflict }) => !isConflict);
  if (publishable.length === 0) return undefined;
  const items = publishable.map((file, index) => {
    const id = `file-${index}`;
    const edit = edits.get(file.path) ?? edits.get(file.from ?? "");
    const errors = findings.errors.filter((problem) => isAbout(problem, file.path));
    const warnings = findings.warnings.filter((problem) => isAbout(problem, file.path));
    const isOwn = edit === undefined || edit.author.email === editor.email;
    const isForOthers = !mayShop && isOfShop(file);
    const checked = isOwn && errors.length === 0 ? html` checked` : undefined;
    const state = isForOthers ? html` disabled` : checked;
    const note = isForOthers ? html`, ${publish.of_shop}` : undefined;
    const by = edit && html`, ${edit.author.name}, ${edit.at.slice(0, 16).replace("T", " ")}`;
    const label = html`<input type="checkbox" name="file" value="${file.path}" id="${id}"${state}><label for="${id}">${nameOf(file.path)}</label> <span class="muted">${kindOf(words, file)}${by}${note}</span>`;
    const page = file.kind === "deleted" ? undefined : pagePathOf(file.path);
    const preview =
      page && html` <a href="/admin/preview${page}" data-wait="${words.waiting.preview}">${publish.preview}</a>`;
    const lines = index < MOST_DIFFERENCES ? differences.get(file.path) : undefined;
    return html`<li>${label}${preview}
${renderNotice(words, file.path, "bad", errors)}${renderNotice(words, file.path, "wait", warnings)}${lines === undefined ? undefined : renderDifference(words, lines)}
<details><summary>${publish.discard}</summary>
<p>${publish.discard_hint}</p>
<button type="submit" class="danger" form="discard" name="path" value="${file.path}">${publish.discard_button}</button></details></li>
`;
  });
  return html`<h2>${publish.files({ count: publishable.length })}</h2>
<form method="post" action="/admin/publish/discard" id="discard"><input type="hidden" name="drafts" value="${drafts}"></form>
<form method="post" action="/admin/publish" data-wait="${words.waiting.publish}">
<input type="hidden" name="drafts" value="${drafts}">
<ul class="choices">
${items}</ul>
<p class="bar"><button type="submit">${publish.button}</button></p>
</form>
`;
}

function renderNotice(words: AdminWords, path: string, kind: "bad" | "wait", problems: readonly string[]) {
  if (problems.length === 0) return undefined;
  return html`<div class="notice ${kind}">${renderProblems(words, problems, path)}</div>
`;
}

/** The lines of a difference, folded away if they are many. */
export function renderDifference({ publish }: AdminWords, lines: readonly Line[]): Html {
  const shown = lines.slice(0, MOST_LINES).map(({ kind, text }) => {
    if (kind === "added") return html`<ins>${text}</ins>\n`;
    return kind === "removed" ? html`<del>${text}</del>\n` : html`${text}\n`;
  });
  const more = lines.length > MOST_LINES ? html`…\n` : undefined;
  const body = lines.length === 0 ? html`${publish.no_text}` : html`${shown}${more}`;
  return html`<details${lines.length <= 12 ? html` open` : undefined}><summary>${publish.difference}</summary>
<pre class="difference">${body}</pre></details>
`;
}

function renderConflicts({ words, drafts, differences }: PublishView, files: readonly ChangedFile[]): Html {
  const { publish } = words;
  const items = files.map(({ path }, index) => {
    const choice = (side: "live" | "draft") =>
      html`<label><input type="radio" name="keep:${path}" value="${side}" required id="keep-${index}-${side}">${publish.keep[side]}</label>`;
    return html`<li><fieldset><legend>${nameOf(path)}</legend>
${choice("draft")}
${choice("live")}
${renderDifference(words, differences.get(path) ?? [])}</fieldset></li>
`;
  });
  return html`<div class="notice bad">
<h2>${publish.conflicts}</h2>
<p>${publish.conflicts_hint}</p>
<form method="post" action="/admin/publish/conflicts">
<input type="hidden" name="drafts" value="${drafts}">
<ul class="choices">
${items}</ul>
<button type="submit">${publish.resolve}</button>
</form>
</div>
`;
}

function kindOf({ publish }: AdminWords, { kind, from = "" }: ChangedFile): string {
  return kind === "renamed" ? publish.kinds.renamed({ from: nameOf(from) }) : publish.kinds[kind];
}
