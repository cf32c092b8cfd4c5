import { parseAddress } from '@shardnode/protocol/address';

/** A file that `vite build` made, as its manifest says it. */
interface BuiltFile {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, BuiltFile>>;

/** The page in the manifest. */
const first = 'index.html';

const ofAddress = (address: string): string => (parseAddress(address)?.kind === 'p2c' ? 'contract' : 'address');

/** The module in `web/pages` of a path, by the first part of the path; of some it depends on what follows. */
const modules: Readonly<Record<string, string | ((subject: string) => string)>> = {
  '': 'network',
  about: 'about',
  address: ofAddress,
  block: (hash) => (hash === '' ? 'blocks' : 'block'),
  chain: 'chain',
  find: 'find',
  pending: 'pending',
  richlist: 'rich-list',
  stats: 'stats',
  token: 'token',
  tx: 'transaction',
};

const moduleOf = (path: string): string | undefined => {
  const [, kind = '', subject = ''] = path.split('/');
  const found = Object.hasOwn(modules, kind) ? modules[kind] : undefined;
  return typeof found === 'function' ? found(subject) : found;
};

/**
 * The scripts of the pages. Each page has one of its own, which the first script would ask for only when it runs: the
 * service names it in the HTML, so that the browser reads both at once.
 */
export class PageScripts {
  private readonly manifest: Manifest;
  /** What the page itself names. */
  private readonly named: ReadonlySet<BuiltFile>;

  /** @param manifest as `vite build` writes it, JSON */
  constructor(manifest: string) {
    this.manifest = JSON.parse(manifest) as Manifest;
    this.named = this.filesOf(first);
  }

  /** Elements for the head of the page at a path; empty where it has no script of its own. */
  linksOf(path: string): string {
    const module = moduleOf(path);
    if (module === undefined) return '';
    const files = [...this.filesOf(`pages/${module}.tsx`)].filter((file) => !this.named.has(file));
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
