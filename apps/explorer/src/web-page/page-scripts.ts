import { pageAt } from '@shardnode/http/page-paths';

/** A file that `vite build` made, as its manifest says it. */
interface BuiltFile {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, BuiltFile>>;

/** The page in the manifest. */
const first = 'index.html';

/**
 * The scripts of the pages. Each page has one of its own, which the first script would ask for only when it runs: the
 * service names it in the HTML, so that the browser reads both at once.
 */
export class PageScripts {
  private readonly manifest: Manifest;
  /** Files that the page itself names. */
  private readonly named: ReadonlySet<BuiltFile>;

  /** @param manifest as `vite build` writes it, JSON */
  constructor(manifest: string) {
    this.manifest = JSON.parse(manifest) as Manifest;
    this.named = this.filesOf(first);
  }

  /** Elements for the head of the page at a path; empty where it has no script of its own. */
  linksOf(path: string): string {
    const place = pageAt(path);
    if (place === undefined) return '';
    const files = [...this.filesOf(`pages/${place.page}.tsx`)].filter((file) => !this.named.has(file));
    const scripts = files.map(({ file }) => `<link rel="modulepreload" crossorigin href="./${file}" />`);
    const styles = files
      .flatMap(({ css = [] }) => css)
      .map((file) => `<link rel="stylesheet" crossorigin href="./${file}" />`);
    return [...styles, ...scripts].join('');
  }

  /** A file and those that it imports, each once. */
  private filesOf(name: string, found = new Set<BuiltFile>()): ReadonlySet<BuiltFile> {
    const file = this.manifest[name];
    if (file === undefined || found.has(file)) return found;
    found.add(file);
    for (const imported of file.imports ?? []) this.filesOf(imported, found);
    return found;
  }
}
