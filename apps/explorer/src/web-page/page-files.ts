import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { htmlText, ServedFile } from '@shardnode/http/docs';
import { type PageFacts } from './page-facts.js';
import { PageScripts } from './page-scripts.js';
import { type PageStart } from './page-state.js';

/** Output of `vite build` from `web/`. The same folder from `src` and from `dist`. */
const pageFolder = fileURLToPath(new URL('../../dist/web/', import.meta.url));

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Comments of the page that are replaced in each answer. */
const places = {
  base: '<!-- the service puts the base path here -->',
  scripts: '<!-- the service puts the scripts of the page here -->',
  facts: '<!-- the service puts the facts of the page here -->',
  state: '<!-- the service puts its state here -->',
};

/** Ends no element: a script of data is text up to `</script`. */
const dataScript = (data: unknown): string =>
  `<script type="application/json" id="state">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

const titleForm = /<title>(.*)<\/title>/;

const factList = ({ title, facts }: PageFacts): string => {
  const rows = facts.map(([name, value]) => `<dt>${htmlText(name)}</dt><dd>${htmlText(value)}</dd>`);
  return `<h1>${htmlText(title)}</h1><dl>${rows.join('')}</dl>`;
};

/** How far up the base is from a path: the same behind a proxy that takes off a prefix. */
const baseOf = (path: string): string => '../'.repeat(path.split('/').length - 2) || './';

/** The built page and its files. */
export class PageFiles {
  /** Files below `assets/`, by name: a name holds a hash of the content. */
  readonly assets: ReadonlyMap<string, ServedFile>;
  private readonly template: string;
  private readonly pageScripts: PageScripts;

  private constructor() {
    if (!existsSync(`${pageFolder}manifest.json`))
      throw new Error(`the page in ${pageFolder} is of an older version: npm ci, or node tools/prepare.mjs, builds it`);
    this.template = readFileSync(`${pageFolder}index.html`, 'utf8');
    this.pageScripts = new PageScripts(readFileSync(`${pageFolder}manifest.json`, 'utf8'));
    const missing = Object.values(places).find((place) => !this.template.includes(place));
    if (missing !== undefined) throw new Error(`the page has no comment ${missing}`);
    const names = readdirSync(`${pageFolder}assets`).filter((name) => mediaTypes[extname(name)] !== undefined);
    this.assets = new Map(
      names.map((name) => [
        name,
        new ServedFile(mediaTypes[extname(name)]!, readFileSync(`${pageFolder}assets/${name}`)),
      ]),
    );
  }

  /** Undefined where the page was not built. */
  static open(): PageFiles | undefined {
    return existsSync(`${pageFolder}index.html`) ? new PageFiles() : undefined;
  }

  /** The page at a path, with what it shows first. */
  page(path: string, { state, facts }: PageStart): string {
    return this.template
      .replace(places.base, () => `<base href="${baseOf(path)}" />`)
      .replace(places.scripts, () => this.pageScripts.linksOf(path))
      .replace(titleForm, (title, name: string) =>
        facts === undefined ? title : `<title>${htmlText(facts.title)} · ${name}</title>`,
      )
      .replace(places.facts, () => (facts === undefined ? '' : factList(facts)))
      .replace(places.state, () => dataScript(state));
  }
}
